import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [[/^(.+) (?:is|are) on (.+)\.$/, '$1 steht auf $2.']]
