/** `npm run decisions`: writes the index of docs/decisions, and where links between decisions lead. */
import { writeDerivedPages } from './decision-pages.ts'

writeDerivedPages()
