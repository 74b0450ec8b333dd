import { execFile } from 'node:child_process'
import { existsSync, statfsSync, statSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Finding, rowFindings } from './doctor-rows.ts'
import { findTemporal } from './embedded/temporal.ts'
import { environmentOf } from './hold.ts'
import { localFile } from './local.ts'
import { answers, isTemporalServing } from './loopback.ts'

const run = promisify(execFile)

/** Looks and tells; changes nothing. 0 when all is well. */
export async function doctor(dataDir: string): Promise<number> {
  const findings = [...(await machine(dataDir)), ...(await parts(dataDir))]
  for (const { title, isGood, words } of findings) console.log(`  ${isGood ? 'ok' : '--'}  ${title.padEnd(16)} ${words}`)
  return findings.every(({ isGood }) => isGood) ? 0 : 1
}

async function machine(dataDir: string): Promise<Finding[]> {
  const folder = existsSync(dataDir) ? dataDir : '.'
  const { bavail, bsize } = statfsSync(folder)
  const freeGb = (bavail * bsize) / 1e9
  const memoryGb = freemem() / 1e9
  const temporal = findTemporal()
  const ping = await run('ping', ['-V']).then(
    () => ({ isGood: true, words: 'installed' }),
    () => ({ isGood: true, words: 'not found: ping checks are off here. Debian: apt-get install iputils-ping' }),
  )
  return [
    { title: 'Node.js', isGood: Number(process.versions.node.split('.')[0]) >= 24, words: process.versions.node },
    { title: 'Disk', isGood: freeGb > 2, words: `${freeGb.toFixed(1)} GB free where ${folder} lies` },
    { title: 'Memory', isGood: memoryGb > 1, words: `${memoryGb.toFixed(1)} GB free` },
    { title: 'Temporal', isGood: temporal !== undefined, words: temporal ? `${temporal.path} (${temporal.how})` : 'not here yet: npm start obtains it' },
    { title: 'ping', ...ping },
  ]
}

async function parts(dataDir: string): Promise<Finding[]> {
  const environment = environmentOf(dataDir)
  if (!environment) return [{ title: 'Running', isGood: true, words: `nothing runs on ${dataDir}; npm start` }]
  const readiness = await answers(`http://127.0.0.1:${environment.METRICS_PORT}/readyz`)
  const isPrivate = [localFile(dataDir), join(dataDir, 'keys.json')].every(path => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o600) % 0o100 === 0)
  return [
    { title: 'Control plane', isGood: readiness?.status === 200, words: readiness ? describe(readiness.body) : 'does not answer' },
    { title: 'Temporal server', isGood: await isTemporalServing(environment.TEMPORAL_ADDRESS ?? ''), words: environment.TEMPORAL_ADDRESS ?? 'none' },
    { title: 'Secrets', isGood: isPrivate, words: isPrivate ? 'readable by their owner alone' : `chmod 600 ${dataDir}/keys.json ${dataDir}/local.json` },
    { title: 'Data', isGood: true, words: `${dataDir}, made ${birthOf(dataDir)}` },
    ...(await rowFindings(environment)),
  ]
}

function describe(body: string) {
  try {
    const { status, parts } = JSON.parse(body) as { status: string; parts: Record<string, { is_ready: boolean; why?: string }> }
    const ill = Object.entries(parts).filter(([, { is_ready }]) => !is_ready)
    return [status.replace('_', ' '), ...ill.map(([name, { why }]) => `${name} ${why}`)].join('; ')
  } catch {
    return body.slice(0, 100)
  }
}

const birthOf = (dataDir: string) =>
  existsSync(join(dataDir, 'keys.json')) ? statSync(join(dataDir, 'keys.json')).birthtime.toISOString().slice(0, 10) : 'now'
