import { leaveDigest } from './leave.ts'

export const digest = [leaveDigest]
