import { largeBadge, smallBadge } from './badge.ts'

export const badges = [largeBadge, smallBadge]
