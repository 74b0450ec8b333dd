import { getPlan } from './get.ts'
import { getKeptMonitors, putKeptMonitors } from './kept-monitors.ts'
import { getOverrides, putOverrides } from './overrides.ts'

export const plans = [getPlan, getKeptMonitors, putKeptMonitors, getOverrides, putOverrides]
