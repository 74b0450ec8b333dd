import pg from 'pg'
import { StartFault } from '#cli/fault.ts'
import { type ResellerScope, resellerScopes } from '#contract/scopes.ts'
import { daysAfter } from '#contract/time.ts'
import { makeFirstToken } from '#control-plane/reselling/reseller-tokens/first.ts'

export interface TokenWanted {
  reseller: string
  person: string | null
  name: string
  scopes: string[] | null
  days: number | null
}

/** Creates and prints a reseller token without signing in. */
export async function createResellerToken(env: NodeJS.ProcessEnv, wanted: TokenWanted): Promise<void> {
  const scopes =
    wanted.scopes === null ? resellerScopes.filter(scope => scope.endsWith(':manage')) : readScopes(wanted.scopes)
  const expiresAt = wanted.days === null ? null : daysAfter(new Date(), wanted.days)
  const platform = new pg.Pool({ connectionString: env.DATABASE_PLATFORM_URL, max: 1 })
  try {
    const made = await makeFirstToken(platform, {
      reseller: wanted.reseller,
      person: wanted.person,
      name: wanted.name,
      scopes,
      expiresAt,
    })
    if (made === 'no_reseller')
      throw new StartFault(
        'config',
        `there is no reseller "${wanted.reseller}"`,
        'A reseller is named by its slug or its id.',
      )
    if (made === 'no_person')
      throw new StartFault(
        'config',
        'no person to act for',
        'A reseller token acts in the name of one of the reseller’s owners or administrators.',
      )
    console.log(made.plain)
    const end = expiresAt ? `, until ${expiresAt.toISOString()}` : ''
    console.error(`\n  Acts in the name of ${made.person}${end}. It is shown only now.\n`)
  } finally {
    await platform.end()
  }
}

function readScopes(names: string[]): ResellerScope[] {
  const unknown = names.filter(name => !resellerScopes.some(scope => scope === name))
  if (unknown.length > 0 || names.length === 0)
    throw new StartFault(
      'config',
      `unknown scope ${unknown.map(name => `"${name}"`).join(', ') || '(none)'}`,
      `The scopes are ${resellerScopes.join(', ')}.`,
    )
  return resellerScopes.filter(scope => names.includes(scope))
}
