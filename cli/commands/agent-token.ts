import { createInterface } from 'node:readline/promises'
import pg from 'pg'
import { StartFault } from '#cli/fault.ts'
import { regionName } from '#contract/agent.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { createEnrolment, revokeEnrolments } from '#control-plane/engine/agents/create-enrolment.ts'

interface Wanted {
  region: string | null
  /** Whether the region may be created; else it must exist. */
  isNew: boolean
  /** Whether all agents of the region may enrol with it, any number of times. */
  isReusable?: boolean
  days?: number | undefined
}

/** Prints the token and its use. A new region must be confirmed, because a misspelled one could not be deleted. */
export async function createAgentToken(
  env: NodeJS.ProcessEnv,
  { region, isNew, isReusable = false, days }: Wanted,
): Promise<void> {
  if (isReusable && region === null)
    throw new StartFault(
      'config',
      'a reusable token is for one region',
      'Who has it can add agents, which are given the secrets of the checks of their region.',
      'vedette agent-token create --region eu-north --reusable',
    )
  if (region !== null && !regionName.safeParse(region).success)
    throw new StartFault(
      'config',
      `"${region}" cannot name a region`,
      'A region is named by lower-case letters, digits and single hyphens.',
      'vedette agent-token create --region eu-north',
    )
  const platform = new pg.Pool({ connectionString: env.DATABASE_PLATFORM_URL, max: 1 })
  try {
    if (region !== null) await settleRegion(platform, region, isNew)
    const { plain, expiresAt } = await createEnrolment(platform, region, { isReusable, days })
    console.log(plain)
    const address = env.BASE_URL ?? 'https://…'
    const whose = isReusable ? 'all agents' : 'one agent'
    console.error(`
  Good for ${whose}${region ? ` in ${region}` : ''}, until ${new Date(expiresAt).toISOString()}. On its machine:

  VEDETTE_URL=${address} REGION=${region ?? 'REGION'} DATA_DIR=./agent \\
    ENROLMENT_TOKEN=${plain} node cli/vedette.js probe
`)
  } finally {
    await platform.end()
  }
}

/** Ends the tokens of a region. */
export async function revokeAgentTokens(env: NodeJS.ProcessEnv, region: string): Promise<void> {
  const platform = new pg.Pool({ connectionString: env.DATABASE_PLATFORM_URL, max: 1 })
  try {
    const count = await revokeEnrolments(platform, region)
    console.log(`${count} tokens of ${region} revoked; agents that have enrolled go on`)
  } finally {
    await platform.end()
  }
}

async function settleRegion(platform: pg.Pool, region: string, isNew: boolean): Promise<void> {
  const found = await rows(platform)<Row<'regions', 'name'>>`
    select name from regions where retired_at is null order by name`
  const known = found.map(({ name }) => name)
  if (known.includes(region)) return
  if (!isNew && !(await isConfirmed(region, known)))
    throw new StartFault(
      'config',
      `there is no region "${region}"`,
      known.length > 0 ? `The regions are ${known.join(', ')}.` : 'There is no region yet.',
      `vedette agent-token create --region ${region} --new`,
    )
  await rows(platform)`
    insert into regions (name) values (${region}) on conflict (name) do update set retired_at = null`
}

/** Asks on a terminal; a script is not asked. */
async function isConfirmed(region: string, known: readonly string[]): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question(
      `There is no region "${region}"${known.length > 0 ? `, but ${known.join(', ')}` : ''}. Make it? [y/N] `,
    )
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
