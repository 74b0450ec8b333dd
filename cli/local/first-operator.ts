import pg from 'pg'
import { z } from 'zod'
import { runCommand } from '#cli/command.ts'
import { StartFault } from '#cli/fault.ts'
import { isSetupOpen, makeSetupLink } from '#control-plane/platform/setup/link.ts'

const Failed = z.object({ what: z.string(), why: z.string(), fixes: z.array(z.string()) })

/**
 * The link that makes the operator and the first team; null where there is an operator, or where the environment names
 * one by SETUP_EMAIL and SETUP_PASSWORD_FILE, who is made at once.
 */
export async function prepareSetup(
  env: NodeJS.ProcessEnv & { DATABASE_PLATFORM_URL: string; BASE_URL: string },
  signal: AbortSignal,
): Promise<string | null> {
  const client = new pg.Client({ connectionString: env.DATABASE_PLATFORM_URL })
  await client.connect()
  try {
    if (!env.SETUP_EMAIL && !env.SETUP_PASSWORD_FILE) return await makeSetupLink(client, env.BASE_URL)
    if (!(await isSetupOpen(client))) return null
  } finally {
    await client.end()
  }
  const { code, stdout, stderr } = await runCommand(['set-up', '--json'], env, signal)
  signal.throwIfAborted()
  if (code === 0) return null
  throw faultOf(stdout) ?? new StartFault('config', 'the operator could not be made', stderr.trim().slice(-500))
}

function faultOf(output: string): StartFault | undefined {
  try {
    const { what, why, fixes } = Failed.parse(JSON.parse(output.trim().split('\n').at(-1) ?? ''))
    return new StartFault('config', what, why, ...fixes)
  } catch {
    return undefined
  }
}
