import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { messageOf, StartFault } from '#cli/fault.ts'
import { cacheFolders } from '#cli/local/cache.ts'
import { findPort, isTemporalServing, until } from '#cli/local/loopback.ts'
import jars from './test-server.json' with { type: 'json' }

const run = promisify(execFile)
const version = '1.38.0'
const atOnce = 6

interface Jar {
  path: string
  sha256: string
}

/**
 * Temporal's time-skipping test server: `io.temporal:temporal-test-server` and its dependencies from Maven Central,
 * each verified by its checksum in `test-server.json`. Returns a start script, which the SDK takes as an existing
 * path.
 */
export async function obtainTimeSkipping({
  env = process.env,
  onProgress = (_text: string) => {},
} = {}): Promise<string> {
  const folder = join(cacheFolders(env)[0] ?? tmpdir(), `temporal-test-server-${version}`)
  const script = join(folder, 'start-quickly')
  if (existsSync(script)) return script
  await run('java', ['-version'], { env }).catch(() => {
    throw new StartFault(
      'dependency',
      'the time-skipping Temporal server cannot run',
      'Java is not installed; it is needed by tests of workflows only.',
      'apt-get install default-jre-headless',
    )
  })
  onProgress(`${jars.length} files of temporal-test-server ${version} from Maven Central, once`)
  const repository = (env.MAVEN_REPOSITORY ?? 'https://repo1.maven.org/maven2').replace(/\/$/, '')
  const waiting = [...jars]
  const takeAll = async () => {
    for (let jar = waiting.shift(); jar; jar = waiting.shift()) await take(jar, folder, repository)
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, takeAll))
  } catch (error) {
    throw new StartFault(
      'dependency',
      'the time-skipping Temporal server could not be fetched',
      messageOf(error),
      `curl -I ${repository}/`,
      'or name a mirror: MAVEN_REPOSITORY=https://… npm test',
    )
  }
  const classPath = jars.map(({ path }) => `"$here/${path}"`).join(':')
  const draft = `${script}.${process.pid}.draft`
  writeFileSync(
    draft,
    [
      '#!/bin/sh',
      'here=$(dirname "$0")',
      '[ -n "$CLASSES_TO" ] && classes=-XX:ArchiveClassesAtExit="$CLASSES_TO" || ' +
        'classes=-XX:SharedArchiveFile="$here/classes.jsa"',
      `exec java "$classes" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp ${classPath} ` +
        'io.temporal.testserver.TestServer "$@"',
      '',
    ].join('\n'),
  )
  chmodSync(draft, 0o755)
  await keepClasses(draft, join(folder, 'classes.jsa')).catch(() => undefined)
  renameSync(draft, script)
  return script
}

/** Creates an archive of the loaded classes, with which later starts need a third of the time. */
async function keepClasses(script: string, target: string) {
  const port = await findPort(0)
  const draft = `${target}.${process.pid}.draft`
  const server = spawn(script, [String(port)], { stdio: 'ignore', env: { ...process.env, CLASSES_TO: draft } })
  const ended = once(server, 'exit')
  await until(() => isTemporalServing(`127.0.0.1:${port}`), { withinMs: 30_000 })
  server.kill('SIGTERM')
  await ended
  renameSync(draft, target)
}

async function take(jar: Jar, folder: string, repository: string) {
  const target = join(folder, jar.path)
  if (isRight(target, jar)) return
  mkdirSync(dirname(target), { recursive: true })
  const draft = `${target}.${process.pid}.draft`
  const local = join(homedir(), '.m2', 'repository', jar.path)
  if (isRight(local, jar)) copyFileSync(local, draft)
  else writeFileSync(draft, await fetchFile(`${repository}/${jar.path}`))
  if (!isRight(draft, jar)) throw new Error(`${jar.path} is not the file its checksum names`)
  renameSync(draft, target)
}

const isRight = (path: string, { sha256 }: Jar) =>
  existsSync(path) && createHash('sha256').update(readFileSync(path)).digest('hex') === sha256

async function fetchFile(url: string): Promise<Buffer> {
  for (let attempt = 1; ; attempt++)
    try {
      return await fetchOnce(url)
    } catch (error) {
      if (attempt === 3) throw error
    }
}

const fetchOnce = (url: string) =>
  new Promise<Buffer>((resolve, reject) => {
    const request = get(url, { timeout: 20_000 }, response => {
      const parts: Buffer[] = []
      response.on('data', part => parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(Buffer.concat(parts))
          : reject(new Error(`${url} answered ${response.statusCode}`)),
      )
    })
    request.on('timeout', () => request.destroy(new Error(`${url} did not answer`)))
    request.on('error', reject)
  })
