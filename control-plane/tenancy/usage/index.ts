import { getTeamUsage } from './get.ts'

export const usage = [getTeamUsage]
