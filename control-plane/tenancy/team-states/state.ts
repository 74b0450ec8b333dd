import { type RawBuilder, sql } from 'kysely'
import type { MailType } from '#contract/mails.ts'
import { statesOfTeams, type Thing } from './table.ts'

/** By the state, the moment of a tenant that it follows from; a tenant that is suspended is paused as well. */
const momentOf = { in_trash: 'deleted_at', suspended: 'suspended_at', paused: 'paused_at' } as const
type StoredState = keyof typeof momentOf
const storedStates = ['in_trash', 'suspended', 'paused'] as const satisfies readonly StoredState[]

export type TeamMoments = Record<(typeof momentOf)[StoredState], unknown>

/** The state of a team by the moments of its tenant; undefined: none of these, in which nothing stops as a whole. */
export const storedStateOf = (moments: TeamMoments): StoredState | undefined =>
  storedStates.find(state => moments[momentOf[state]] !== null)

export function goesOn(thing: Thing, moments: TeamMoments): boolean {
  const state = storedStateOf(moments)
  return state === undefined || statesOfTeams[state].things[thing].happens === 'goes on'
}

/** The same of `tenants` by their alias. */
export function goesOnSql(thing: Thing, t = 't'): RawBuilder<boolean> {
  const stopping = storedStates.filter(state => statesOfTeams[state].things[thing].happens !== 'goes on')
  const isUnset = stopping.map(state => sql`${sql.ref(`${t}.${momentOf[state]}`)} is null`)
  return stopping.length === 0 ? sql.lit(true) : sql.join(isUnset, sql` and `)
}

/** Whether a mail is about the account of a person, who may be in other teams. */
export const isAboutAccount = (type: MailType): boolean => /^(email|login|password|security|sign_up)_/.test(type)

/** How soon a workflow that waits for the end of a state asks for it again. */
export const askAgainMs = 3_600_000
