import pg from 'pg'
import { regionName } from '#contract/agent.ts'
import { createEnrolment } from '#control-plane/monitoring/agents/create-enrolment.ts'
import { StartFault } from './fault.ts'

/** Prints the token and how an agent uses it. The region is made when it is new. */
export async function createAgentToken(env: NodeJS.ProcessEnv, region: string | null): Promise<void> {
  if (region !== null && !regionName.safeParse(region).success)
    throw new StartFault(
      'config',
      `"${region}" cannot name a region`,
      'A region is named by lower-case letters, digits and single hyphens.',
      'vedette agent-token create --region eu-north',
    )
  const platform = new pg.Pool({ connectionString: env.DATABASE_PLATFORM_URL, max: 1 })
  try {
    if (region !== null) await platform.query('insert into regions (name) values ($1) on conflict do nothing', [region])
    const { plain, expiresAt } = await createEnrolment(platform, region)
    console.log(plain)
    console.error(`
  Good for one agent${region ? ` in ${region}` : ''}, until ${expiresAt.toISOString()}. On its machine:

  VEDETTE_URL=${env.BASE_URL ?? 'https://…'} REGION=${region ?? 'REGION'} DATA_DIR=./agent ENROLMENT_TOKEN=${plain} node cli/vedette.js probe
`)
  } finally {
    await platform.end()
  }
}
