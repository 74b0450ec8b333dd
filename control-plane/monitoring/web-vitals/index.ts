import { getVitals } from './get.ts'
import { disableVitals, enableVitals } from './switch.ts'
import { tellVitals } from './tell.ts'

export const vitals = [tellVitals, enableVitals, disableVitals, getVitals]
