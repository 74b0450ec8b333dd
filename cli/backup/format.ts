import { z } from 'zod'
import { KeyDerivation } from './cipher.ts'

/** The form of a backup. Increased when an earlier version of `vedette restore` could not read it. */
export const format = 2
/** The form of a backup that is whole by itself, which every version reads. */
export const wholeFormat = 1

/** The one file that is never encrypted: `backup.json`. */
export const Header = z.object({
  format: z.int(),
  id: z.uuid(),
  made_at: z.iso.datetime(),
  /** The version that made it. */
  version: z.string(),
  encryption: KeyDerivation.nullable(),
  /** The whole backup that its part of ClickHouse is the difference to; `folder` lies beside its own. */
  base: z
    .object({ id: z.uuid(), folder: z.string().regex(/^[^/]+$/) })
    .nullable()
    .default(null),
})
export type Header = z.infer<typeof Header>

const rows = z.int().min(0)

/** A file of a backup as it is stored: encrypted, if the backup is. */
export const StoredFile = z.object({ file: z.string(), bytes: z.int(), sha256: z.string() })
export type StoredFile = z.infer<typeof StoredFile>

/** An identifier that may stand in a statement between quotes. */
const identifier = z.string().regex(/^[a-z_][a-z0-9_]*$/)

const Table = StoredFile.extend({ name: identifier, columns: z.array(identifier), rows })

/** What a backup holds: `manifest.json`. */
export const Manifest = z.object({
  header: Header,
  postgres: z.object({
    version: z.string(),
    migrations: z.array(z.string()),
    tables: z.array(Table),
    /** The last value of each sequence, by the column that it belongs to; null before its first. */
    sequences: z.array(z.object({ table: identifier, column: identifier, value: z.string().nullable() })),
    /** The end of each audit trail, which its entries lead to by their hashes. */
    audit: z.object({
      trails: rows,
      links: rows,
      heads: z.array(z.object({ tenant_id: z.uuid(), seq: z.int(), hash: z.string() })),
    }),
  }),
  clickhouse: z.object({
    version: z.string(),
    database: identifier,
    migrations: z.array(z.string()),
    /** Rows by table, as one restore of the archive had them; null where it was not tried. */
    rows: z.record(identifier, rows).nullable(),
    /** The archive that ClickHouse wrote: in the backup, or left on a disk of its server. */
    archive: z.union([StoredFile, z.object({ disk: z.string(), name: z.string() })]),
  }),
  /** The mark of the SECRET_KEY that stored secrets are encrypted under. Not the key. */
  secret_key: z.string(),
  /** Only where it was asked for, and only in an encrypted backup. */
  keys: StoredFile.nullable(),
})
export type Manifest = z.infer<typeof Manifest>

/** The keys of the installation, where they were asked for. */
export const BackupKeys = z.object({ secret_key: z.string(), previous_secret_keys: z.array(z.string()) })
export type BackupKeys = z.infer<typeof BackupKeys>
