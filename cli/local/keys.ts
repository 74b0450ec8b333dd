import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { messageOf, StartFault } from '#cli/fault.ts'

const Keys = z.object({
  secret_key: z.string().min(32),
  postgres: z.object({ owner: z.string(), app: z.string(), platform: z.string() }),
  clickhouse: z.string(),
})
export type Keys = z.infer<typeof Keys>

const secret = (bytes = 24) => randomBytes(bytes).toString('base64url')

export const makeKeys = (): Keys => ({
  secret_key: secret(48),
  postgres: { owner: secret(), app: secret(), platform: secret() },
  clickhouse: secret(),
})

/** The keys of a data folder, created once and stored in `keys.json` for its owner only. */
export function loadKeys(dataDir: string): { keys: Keys; isNew: boolean } {
  const path = join(dataDir, 'keys.json')
  if (!existsSync(path)) {
    const keys = makeKeys()
    writePrivately(path, keys)
    return { keys, isNew: true }
  }
  try {
    chmodSync(path, 0o600)
    return { keys: Keys.parse(JSON.parse(readFileSync(path, 'utf8'))), isNew: false }
  } catch (error) {
    throw new StartFault(
      'config',
      `${path} cannot be used`,
      messageOf(error),
      `restore ${path} from a backup: without it stored secrets are lost`,
      'or start with another folder: npm start -- --data .data-new',
    )
  }
}

/** Writes a file atomically, readable by its owner only. */
export function writePrivately(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.draft`
  writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, path)
}
