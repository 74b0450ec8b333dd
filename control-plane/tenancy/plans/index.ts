import { getPlan } from './get.ts'

export const plans = [getPlan]
