import { randomBytes } from 'node:crypto'

/** A name as a slug: its letters a to z and digits with single hyphens between; empty where it has none of them. */
export const slugOf = (name: string, most: number): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, most)
    .replace(/^-+|-+$/g, '')

/** The name of a team as a slug that none has yet: with random letters, as names are taken often. */
export const uniqueSlugOf = (name: string): string => `${slugOf(name, 80) || 'team'}-${randomBytes(5).toString('hex')}`
