/** `npm run api-types`: writes the types of the clients, and with them of the console, from the API description. */
import { writeFileSync } from 'node:fs'
import { describeClientTypes } from './client-types/files.ts'
import { describeRunningService } from './running-service.ts'

for (const { file, text } of describeClientTypes(await describeRunningService())) writeFileSync(file, text)
