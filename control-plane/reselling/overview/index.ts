import { resellerOverview } from './get.ts'

export const overview = [resellerOverview]
