import { closeSync, copyFileSync, mkdirSync, openSync, readSync, rmSync, statSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'

const maxBytes = 10 * 1024 * 1024

/** Opened for appending, so that a part writes by itself: no pipe to break when the supervisor dies, no copying while it lives. */
export function openLog(path: string): number {
  mkdirSync(dirname(path), { recursive: true })
  trimLog(path)
  return openSync(path, 'a', 0o640)
}

/** One older generation is kept, where there is room for it. The file is emptied in place, as its writer keeps it open. */
export function trimLog(path: string, limit = maxBytes): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < limit) return
  try {
    copyFileSync(path, `${path}.1`)
  } catch {
    rmSync(`${path}.1`, { force: true }) // half of it would take up the room that is missing
  }
  truncateSync(path)
}

/** The last lines, for the sentence that says why a part ended. */
export function lastLines(path: string, count: number): string[] {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const buffer = Buffer.alloc(Math.min(size, 16_384))
  if (buffer.length === 0) return []
  const file = openSync(path, 'r')
  readSync(file, buffer, 0, buffer.length, size - buffer.length)
  closeSync(file)
  return buffer.toString('utf8').trim().split('\n').slice(-count).map(plain)
}

/** A structured line by its message; any other as it is. */
function plain(line: string): string {
  try {
    const { msg, reason, err } = JSON.parse(line) as { msg?: string; reason?: string; err?: { message?: string } }
    return [msg, reason ?? err?.message].filter(Boolean).join(': ') || line
  } catch {
    return line
  }
}
