import { sql } from 'kysely'

export const domainPurposes = ['status_page', 'portal'] as const
export type DomainPurpose = (typeof domainPurposes)[number]

export const domainStates = ['pending_dns', 'verified', 'issuing', 'active', 'failed', 'expired', 'disabled'] as const
export type DomainState = (typeof domainStates)[number]

/** States in which the page or portal is served at the hostname, and in which no other team can verify it. */
export const servedStates = ['verified', 'issuing', 'active'] as const satisfies readonly DomainState[]
export const servedSql = sql`(${sql.join(servedStates.map(state => sql.lit(state)))})`
export const isServed = (state: DomainState): boolean => servedStates.some(served => served === state)
