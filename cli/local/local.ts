import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivately } from './keys.ts'

const Person = z.object({ email: z.string(), password: z.string() })

/** What a newcomer, or a program, needs to use a fresh installation. */
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

/** What does not change from start to start. */
export const Accounts = Local.omit({ base_url: true, metrics_url: true, temporal_ui_url: true, regions: true })
export type Accounts = z.infer<typeof Accounts>

/** What `vedette prepare` answers to the start. */
export const Prepared = z.object({
  migrations: z.array(z.string()),
  accounts: Accounts.optional(),
  enrolments: z.record(z.string(), z.string()),
})
export type Prepared = z.infer<typeof Prepared>

export const localFile = (dataDir: string) => join(dataDir, 'local.json')

/** The accounts an earlier start made; undefined when there was none, or its file is gone: then they are given new secrets. */
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
