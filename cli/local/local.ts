import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivately } from './keys.ts'

const Person = z.object({ email: z.string(), password: z.string() })

/** The addresses and accounts of a new installation, for people and programs. */
export const Local = z.object({
  base_url: z.string(),
  metrics_url: z.string(),
  temporal_ui_url: z.string().nullable(),
  super_admin: Person,
  reseller: Person.extend({ tenant_id: z.uuid(), token: z.string() }),
  team: Person.extend({ id: z.uuid(), tenant_id: z.uuid(), slug: z.string(), name: z.string() }),
  regions: z.array(z.string()),
  agent_enrolment_token: z.string(),
})
export type Local = z.infer<typeof Local>

/** The fields that stay the same over restarts. */
export const Accounts = Local.omit({ base_url: true, metrics_url: true, temporal_ui_url: true, regions: true })
export type Accounts = z.infer<typeof Accounts>

/** The output of `vedette prepare`. */
export const Prepared = z.object({
  migrations: z.array(z.string()),
  accounts: Accounts.optional(),
  enrolments: z.record(z.string(), z.string()),
})
export type Prepared = z.infer<typeof Prepared>

export const localFile = (dataDir: string) => join(dataDir, 'local.json')

/** The accounts of an earlier start; undefined without their file: they then get new secrets. */
export function readAccounts(dataDir: string): Accounts | undefined {
  try {
    return Accounts.parse(JSON.parse(readFileSync(localFile(dataDir), 'utf8')))
  } catch {
    return undefined
  }
}

export function writeLocal(dataDir: string, local: Local): void {
  writePrivately(localFile(dataDir), Local.parse(local))
  chmodSync(localFile(dataDir), 0o600)
}
