import { closeSync, copyFileSync, mkdirSync, openSync, readSync, rmSync, statSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'

const maxBytes = 10 * 1024 * 1024

/** Opens a log for appending. Parts write to it themselves, so they do not depend on the supervisor. */
export function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true })
  trimLog(path)
  return openSync(path, 'a', 0o640)
}

/** Keeps one older log if the disk has room. The file is emptied in place, because its writer keeps it open. */
export function trimLog(path: string, limit = maxBytes): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < limit) return
  try {
    copyFileSync(path, `${path}.1`)
  } catch {
    rmSync(`${path}.1`, { force: true }) // an incomplete copy would fill the disk further
  }
  truncateSync(path)
}

/** The last lines, which explain why a part ended. */
export function lastLines(path: string, count: number): string[] {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const buffer = Buffer.alloc(Math.min(size, 16_384))
  if (buffer.length === 0) return []
  const file = openSync(path, 'r')
  readSync(file, buffer, 0, buffer.length, size - buffer.length)
  closeSync(file)
  return buffer.toString('utf8').trim().split('\n').slice(-count).map(plain)
}

/** The message of a structured line; any other line unchanged. */
function plain(line: string): string {
  try {
    const { msg, reason, err } = JSON.parse(line) as { msg?: string; reason?: string; err?: { message?: string } }
    return [msg, reason ?? err?.message].filter(Boolean).join(': ') || line
  } catch {
    return line
  }
}
