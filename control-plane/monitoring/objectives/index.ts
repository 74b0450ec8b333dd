import { monitorSlo } from './get.ts'

export const objectives = [monitorSlo]
