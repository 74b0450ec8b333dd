import { Gauge, type Registry } from 'prom-client'
import { revision, version } from './version.ts'

/** Says which build runs, as a metric that is always 1. */
export const buildInfo = (registers: Registry[]): void =>
  new Gauge({
    name: 'vedette_build_info',
    help: 'Version and commit that this process was built of; always 1',
    labelNames: ['version', 'revision'],
    registers,
  }).set({ version, revision: revision ?? 'unknown' }, 1)
