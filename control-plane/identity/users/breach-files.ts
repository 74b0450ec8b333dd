import { type FileHandle, open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Searches a folder of breached passwords for a SHA-1, in the format of the publisher's downloader: either a file for
 * each five-digit prefix (`ABCDE.txt`, lines `SUFFIX:COUNT`), or one file sorted by hash (lines `HASH:COUNT`).
 */
export async function findSuffix(folder: string, prefix: string, suffix: string): Promise<boolean> {
  const files = new Set(await filesOf(folder))
  const shard = [`${prefix}.txt`, prefix].find(name => files.has(name))
  if (shard) return holdsLine(await readFile(join(folder, shard), 'utf8'), suffix)
  for (const name of files) {
    if (/^[0-9A-F]{5}(\.txt)?$/.test(name) || !name.endsWith('.txt')) continue
    if (await holdsHash(join(folder, name), prefix + suffix)) return true
  }
  return false
}

const listings = new Map<string, Promise<string[]>>()

/** The file names of the folder, up to a million, read once. */
function filesOf(folder: string): Promise<string[]> {
  const listing = listings.get(folder) ?? readdir(folder)
  listings.set(folder, listing)
  listing.catch(() => listings.delete(folder))
  return listing
}

const holdsLine = (text: string, suffix: string) =>
  text
    .toUpperCase()
    .split(/\r?\n/)
    .some(line => line === suffix || (line.startsWith(`${suffix}:`) && line !== `${suffix}:0`))

/** More than a line is long. */
const window = 4_096
const fewLines = 65_536

/** Halves the file until a few lines are left. */
async function holdsHash(path: string, hash: string): Promise<boolean> {
  const file = await open(path)
  try {
    let low = 0
    let high = (await file.stat()).size
    while (high - low > fewLines) {
      const middle = Math.floor((low + high) / 2)
      const line = await lineAfter(file, middle)
      if (line !== null && line < hash) low = middle
      else high = middle
    }
    return holdsLine(await textAt(file, low, high - low + 2 * window), hash)
  } finally {
    await file.close()
  }
}

/** The first whole line after a place; null at the end of the file. */
async function lineAfter(file: FileHandle, at: number): Promise<string | null> {
  const [, line] = (await textAt(file, at, window)).split(/\r?\n/)
  return line ? line.slice(0, 40).toUpperCase() : null
}

async function textAt(file: FileHandle, at: number, length: number): Promise<string> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, at)
  return buffer.toString('latin1', 0, bytesRead)
}
