import { getVitals } from './get.ts'
import { reportVitals } from './report.ts'
import { disableVitals, enableVitals } from './switch.ts'

export const vitals = [reportVitals, enableVitals, disableVitals, getVitals]
