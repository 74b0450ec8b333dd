import { inject } from 'vitest'
import { nodeFlags } from '#cli/command.ts'

/**
 * The words that start one of our commands by this Node: of the bundle, as users run it and at half the processor time,
 * where a whole run has made it (`test/support/global-setup.ts`); else of the sources.
 */
export const program = (...words: string[]): string[] => [...nodeFlags, inject('program'), ...words]
