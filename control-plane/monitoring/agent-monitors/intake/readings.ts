import { type ServerHost, type ServerMetric, type ServerProcess, serverLimits } from '#contract/server-agent.ts'

interface Place {
  metric: ServerMetric
  /** What of several things it is of: a mount, an interface; empty for the whole machine. */
  label: string
  /** Milliseconds. */
  at: number
}

/** What somebody's agent says of one metric at one moment, before it is a value of ours. */
export type Reading =
  | (Place & { kind: 'value'; value: number })
  /** A total that only grows: its growth a second is what counts. */
  | (Place & { kind: 'counter'; total: number })
  /**
   * A part of a whole, in bytes. Of one place and moment all `used` and `rest` make the whole, or `available` and `total`. `source` tells
   * parts of one role apart: memory that is free from memory that is cached, two devices at one mount.
   */
  | (Place & { kind: 'part'; role: 'used' | 'rest' | 'available' | 'total'; source: string; bytes: number })

/** One value as it is stored. */
export interface ServerValue extends Place {
  value: number
}

/** What a body says, whatever its format. */
export interface Told {
  readings: Reading[]
  /** Values of which we know no metric. */
  ignored: number
  host?: ServerHost | undefined
  processes?: { at: number; list: ServerProcess[] } | undefined
}

/** File systems that hold nobody's files. */
const pseudo = new Set([
  'tmpfs',
  'devtmpfs',
  'overlay',
  'squashfs',
  'iso9660',
  'nullfs',
  'autofs',
  'ramfs',
  'rootfs',
  'nsfs',
  'fuse.lxcfs',
  'efivarfs',
])
export const isPseudo = (fileSystem: string) => pseudo.has(fileSystem)

/** A name that others gave to a thing, as it can be stored. */
export const labelOf = (text: string) =>
  text
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, serverLimits.labelChars)
    .toWellFormed()
