import { type ServerHost, type ServerMetric, type ServerProcess, serverLimits } from '#contract/server-agent.ts'
import type { Refusal } from '#control-plane/base/refusal.ts'

interface Place {
  metric: ServerMetric
  /** The mount, interface or device; empty for the whole machine. */
  label: string
  /** Milliseconds. */
  at: number
}

/** What an agent sent of one metric for one moment, before it is converted to a value. */
export type Reading =
  | (Place & { kind: 'value'; value: number })
  /** A total that only grows: it is converted to its growth a second. */
  | (Place & { kind: 'counter'; total: number })
  /**
   * A part of a whole, in bytes. For one label and moment the whole is the sum of `used` and `rest`, or it is `total`.
   * `source` distinguishes parts of one role: free memory from cached memory, or two devices at one mount.
   */
  | (Place & { kind: 'part'; role: 'used' | 'rest' | 'available' | 'total'; source: string; bytes: number })

/** One value as it is stored. */
export interface ServerValue extends Place {
  value: number
}

/** Values that cannot be stored: how many, and why the first of them cannot. */
export interface Faults {
  count: number
  why: Refusal | null
}

/** The content of a request body in any of the formats. */
export interface ServerReport {
  readings: Reading[]
  /** Values of unknown metrics. */
  ignored: number
  /** What was found while it was read; the rest can be stored. */
  faults?: Faults
  host?: ServerHost | undefined
  /** The name of the machine, as `machineNamed` has it; null: it is not said. */
  machine?: string | null
  processes?: { at: number; list: ServerProcess[] } | undefined
}

/** File systems without files of users. */
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

/** A label that an agent sent, in a form that can be stored. */
export const labelOf = (text: string) =>
  text
    .slice(0, serverLimits.labelChars)
    .replace(/\p{Cc}/gu, ' ')
    .toWellFormed()
