import { readFileSync } from 'node:fs'
import pg from 'pg'
import { exitCodes } from '#cli/fault.ts'
import { type Head, readHeads, verifyTrails } from '#control-plane/tenancy/audit-log/verify.ts'

/** Verifies every trail, or one, also against heads that were kept elsewhere. Returns the exit code. */
export async function verifyAudit(
  env: NodeJS.ProcessEnv,
  { tenant, heads }: { tenant?: string; heads?: string },
): Promise<number> {
  const platform = new pg.Pool({ connectionString: env.DATABASE_PLATFORM_URL, max: 1 })
  try {
    const known = heads === undefined ? [] : readHeadsFile(heads)
    const { trails, links, faults } = await verifyTrails(platform, {
      heads: known,
      ...(tenant && { tenantId: tenant }),
    })
    for (const { tenant_id, seq, entry_id, kind } of faults)
      console.log(`${kind}  tenant ${tenant_id}  link ${seq ?? '-'}  entry ${entry_id ?? '-'}`)
    const keptHeads = known.length > 0 ? `, ${known.length} kept heads` : ''
    const outcome = faults.length === 0 ? 'all as written' : `${faults.length} faults`
    console.log(`${links} links of ${trails} trails${keptHeads}: ${outcome}`)
    return faults.length === 0 ? 0 : exitCodes.failed
  } finally {
    await platform.end()
  }
}

/** One JSON line a trail, to be kept where the database's owner cannot write. */
export async function printAuditHeads(env: NodeJS.ProcessEnv): Promise<void> {
  const platform = new pg.Pool({ connectionString: env.DATABASE_PLATFORM_URL, max: 1 })
  try {
    for (const head of (await readHeads(platform, new Date(0))).heads) console.log(JSON.stringify(head))
  } finally {
    await platform.end()
  }
}

/** Lines as printed, or as logged. */
function readHeadsFile(file: string): Head[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.includes('"hash"'))
    .map(line => {
      const { tenant_id, seq, hash } = JSON.parse(line)
      return { tenant_id, seq, hash }
    })
}
