/** The thread that encodes recordings, so that long ones do not block the event loop. */
import { answerTasks } from '../../kit/process/task-thread.ts'
import { createOpusTasks } from './opus-thread.ts'

answerTasks(createOpusTasks())
