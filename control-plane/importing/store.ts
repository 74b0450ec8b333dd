import type { EntityManager } from '@mikro-orm/postgresql'
import type { PingAlias } from '#contract/ping-alias.ts'
import { decryptSecret, encryptSecret, type Keyring, renewerFor } from '#control-plane/base/secrets.ts'
import { type Db, queries } from '#control-plane/db/queries.ts'
import type { History, Wanted } from '#importers/source.ts'

const purposes = { key: 'migration-key', file: 'migration-file', wanted: 'migration-item' } as const

/** The key of a source's API, and the ping key of its jobs. */
export interface SourceKeys {
  credential: string
  pingKey: string | null
}

/** Neither has a line break, which parts them. */
export const encryptKey = (ring: Keyring, migrationId: string, { credential, pingKey }: SourceKeys) =>
  encryptSecret(ring, purposes.key, migrationId, pingKey === null ? credential : `${credential}\n${pingKey}`)
export function decryptKey(ring: Keyring, migrationId: string, encrypted: string): SourceKeys {
  const [credential = '', pingKey = null] = decryptSecret(ring, purposes.key, migrationId, encrypted).split('\n')
  return { credential, pingKey }
}

export const renewKey = renewerFor(purposes.key)
export const renewFilePart = renewerFor(purposes.file)
export const renewWanted = renewerFor(purposes.wanted)

const ownerOf = (migrationId: string, ordinal: number) => `${migrationId} ${ordinal}`

/** What an item becomes, and what comes with it. */
export type DraftItem = Wanted & {
  /** Its ping addresses at the source, secrets. */
  aliases: readonly PingAlias[]
  history: History | null
}

export const encryptDraft = (ring: Keyring, migrationId: string, ordinal: number, wanted: DraftItem) =>
  encryptSecret(ring, purposes.wanted, ownerOf(migrationId, ordinal), JSON.stringify(wanted))
export const decryptDraft = (ring: Keyring, migrationId: string, ordinal: number, encrypted: string): DraftItem => {
  const wanted = JSON.parse(decryptSecret(ring, purposes.wanted, ownerOf(migrationId, ordinal), encrypted))
  // of a preview by an older version
  const { alias = null, ...item } = { history: null, ...wanted }
  return { aliases: alias === null ? [] : [alias], ...item }
}

/** To encrypt one takes a millisecond. */
const partBytes = 65_536

/** Stores the file of a migration in encrypted parts, in place of the one before. Other requests run in between. */
export async function storeFile(
  em: EntityManager,
  ring: Keyring,
  { id, tenantId }: { id: string; tenantId: string },
  file: Buffer,
): Promise<void> {
  const db = queries(em)
  await db.deleteFrom('migration_files').where('migration_id', '=', id).where('tenant_id', '=', tenantId).execute()
  for (let at = 0, ordinal = 0; at < file.length; at += partBytes, ordinal++) {
    const content = file.subarray(at, at + partBytes).toString('base64')
    await db
      .insertInto('migration_files')
      .values({
        migration_id: id,
        tenant_id: tenantId,
        ordinal,
        content: encryptSecret(ring, purposes.file, ownerOf(id, ordinal), content),
      })
      .execute()
  }
}

/** The file of a migration; null if there is none. */
export async function readFile(db: Db, ring: Keyring, id: string): Promise<Buffer | null> {
  const parts: Buffer[] = []
  for (let ordinal = 0; ; ordinal++) {
    const part = await queries(db)
      .selectFrom('migration_files')
      .where('migration_id', '=', id)
      .where('ordinal', '=', ordinal)
      .select('content')
      .executeTakeFirst()
    if (!part) break
    parts.push(Buffer.from(decryptSecret(ring, purposes.file, ownerOf(id, ordinal), part.content), 'base64'))
  }
  return parts.length > 0 ? Buffer.concat(parts) : null
}
