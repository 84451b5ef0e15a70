/** The thread that computes peaks, so that long recordings do not block the event loop. */
import { answerTasks } from '../../kit/process/task-thread.ts'
import { peaksOf } from './peaks.ts'

answerTasks(peaksOf)
