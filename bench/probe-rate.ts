import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls, createSecureContext } from 'node:tls'
import { pino } from 'pino'
import { Client, Pool } from 'undici'
import { Guard } from '#egress/guard.ts'
import { readConfig } from '#probe-agent/config.ts'
import { startAgent } from '#probe-agent/main.ts'
import { assignmentOf, FakeControlPlane } from '#test/probe-agent/fake-control-plane.ts'
import { freePort } from '#test/support/free-port.ts'
import { claim, median, round } from './figures.ts'

/**
 * The cost of one run: the whole agent (schedule, guard, probe, phases, spool, upload) beside bare undici with a fresh
 * connection each, a bare socket, and Debian's prometheus-blackbox-exporter, all against the same nginx.
 * The figure is runs per second of processor time, all threads of the process counted.
 *
 * `node bench/probe-rate.ts [rounds] [seconds]`
 */

type Protocol = 'http' | 'https'
interface Rate {
  runs: number
  cpuS: number
}
interface Task {
  what: 'undici' | 'socket'
  url: string
  ca: string
  seconds: number
}
type Message = { task: Task } | { agent: Record<string, string>; ca: string } | { measure: number }

const runsPerSecond: Record<Protocol, number> = { http: 4_000, https: 1_000 }
const concurrency = 32

if (process.send) await serve()
else await main(Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 4))

async function main(rounds: number, seconds: number) {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-rate-'))
  const ports = { http: await freePort(), https: await freePort(), blackbox: await freePort() }
  const ca = makeCertificate(folder)
  const children: ChildProcess[] = []
  const plane = await FakeControlPlane.open()
  try {
    children.push(startNginx(folder, ports))
    const blackbox = startBlackbox(folder, ports.blackbox)
    children.push(blackbox)
    await Promise.all(Object.values(ports).map(answers))
    const agent = await forkWorker(children, {
      agent: {
        VEDETTE_URL: plane.url,
        REGION: 'bench',
        ENROLMENT_TOKEN: plane.enrolmentToken,
        DATA_DIR: join(folder, 'agent'),
        EGRESS_ALLOW: '127.0.0.0/8',
        LOG_LEVEL: 'warn',
      },
      ca,
    })
    const worker = await forkWorker(children)

    for (const protocol of ['http', 'https'] as const) {
      const url = `${protocol}://127.0.0.1:${ports[protocol]}/`
      const rates: Record<string, number[]> = { agent: [], undici: [], socket: [], blackbox: [] }
      const note = (name: string, { runs, cpuS }: Rate) => rates[name]!.push(runs / cpuS)
      const checks = Array.from({ length: runsPerSecond[protocol] }, (_, n) =>
        assignmentOf(url, { offset_ms: Math.floor((n * 1_000) / runsPerSecond[protocol]) }),
      )
      for (let turn = 0; turn < rounds; turn++) {
        plane.stored.clear()
        plane.assign(...checks)
        await sleep(1_500)
        note('agent', await ask<Rate>(agent, { measure: seconds }))
        plane.withdraw(...checks.map(({ check }) => check))
        const bad = plane.results.filter(({ seen }) => seen?.status !== 200)
        if (bad.length)
          console.log(
            `      (${bad.length} of ${plane.results.length} runs saw no good answer, and do not count: is the machine idle?)`,
          )
        await sleep(500)
        note('undici', await ask<Rate>(worker, { task: { what: 'undici', url, ca, seconds } }))
        note('socket', await ask<Rate>(worker, { task: { what: 'socket', url, ca, seconds } }))
        note('blackbox', await driveBlackbox(blackbox, ports.blackbox, url, seconds))
      }
      const of = (name: string) => median(rates[name] ?? [])
      console.log(`\n${protocol}: runs per CPU-second, median of ${rounds} runs of ${seconds} s`)
      for (const [name, values] of Object.entries(rates))
        console.log(
          `  ${name.padEnd(9)} ${String(round(median(values))).padStart(7)}   (${round(Math.min(...values))} to ${round(Math.max(...values))})`,
        )
      claim(
        `${protocol}: the agent beside blackbox_exporter`,
        of('agent') / of('blackbox'),
        'at least',
        protocol === 'http' ? 2.5 : 1.1,
        ' times',
      )
      console.log(
        `      beside bare undici ${round(of('agent') / of('undici'))} times, beside a bare socket ${round(of('agent') / of('socket'))} times`,
      )
    }
  } finally {
    for (const child of children) {
      if (child.exitCode !== null) continue
      const over = once(child, 'exit')
      child.kill()
      await over
    }
    await plane.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function makeCertificate(folder: string): string {
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      ...subject,
      ...files,
    ],
    {
      stdio: 'ignore',
    },
  )
  return readFileSync(join(folder, 'cert.pem'), 'utf8')
}

function startNginx(folder: string, ports: { http: number; https: number }) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(name => `${name}_temp_path ${folder};`)
    .join(' ')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; user root; worker_processes 1; worker_rlimit_nofile 16384; pid ${folder}/nginx.pid; error_log /dev/null;
     events { worker_connections 8192; }
     http { access_log off; ${temporary} server {
       listen 127.0.0.1:${ports.http} backlog=8192; listen 127.0.0.1:${ports.https} ssl backlog=8192;
       ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem; ssl_session_cache off; ssl_session_tickets off;
       location / { default_type text/plain; return 200 'all is well'; } } }`,
  )
  return spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' })
}

function startBlackbox(folder: string, port: number) {
  const config = join(folder, 'blackbox.yml')
  const tls = `tls_config: { ca_file: ${folder}/cert.pem }`
  writeFileSync(
    config,
    `modules: { target: { prober: http, timeout: 5s, http: { preferred_ip_protocol: ip4, ${tls} } } }\n`,
  )
  return spawn(
    'prometheus-blackbox-exporter',
    [`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'],
    { stdio: 'ignore' },
  )
}

async function answers(port: number) {
  for (let tries = 0; tries < 100; tries++) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isThere) return
    await sleep(50)
  }
  throw new Error(`Nothing answers on port ${port}: are nginx and prometheus-blackbox-exporter installed?`)
}

/** Processor time of a process that is not ours to ask. */
function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function driveBlackbox({ pid = 0 }: ChildProcess, port: number, url: string, seconds: number): Promise<Rate> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: concurrency })
  const path = `/probe?module=target&target=${encodeURIComponent(url)}`
  const before = cpuSecondsOf(pid)
  const end = performance.now() + seconds * 1_000
  let runs = 0
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < end) {
        const { body } = await pool.request({ path, method: 'GET' })
        if (!(await body.text()).includes('probe_success 1')) throw new Error('blackbox_exporter did not succeed.')
        runs++
      }
    }),
  )
  await pool.close()
  return { runs, cpuS: cpuSecondsOf(pid) - before }
}

async function forkWorker(children: ChildProcess[], start?: Message): Promise<ChildProcess> {
  const worker = fork(import.meta.filename)
  children.push(worker)
  if (start) await ask(worker, start)
  return worker
}

async function ask<Answer>(worker: ChildProcess, message: Message): Promise<Answer> {
  worker.send(message)
  const [answer] = await once(worker, 'message')
  return answer as Answer
}

/** The other side: one of these processes is the agent, another what it is compared with. */
async function serve() {
  let runs: () => number = () => 0
  // An exit of one's own lets --cpu-prof write its file.
  process.once('SIGTERM', () => process.exit())
  process.on('message', async (message: Message) => {
    if ('agent' in message) {
      const guard = new Guard(readConfig(message.agent).egressAllow, { ca: [message.ca] })
      const agent = await startAgent(readConfig(message.agent), { guard, log: pino({ level: 'warn' }) })
      runs = () => {
        const { runs, faults } = agent.figures()
        return runs - faults
      }
      process.send?.({})
    } else if ('measure' in message) process.send?.(await measure(() => sleep(message.measure * 1_000), runs))
    else {
      let done = 0
      const { what, url, ca, seconds } = message.task
      const run = what === 'undici' ? undiciRun(url, ca) : socketRun(url, ca)
      const end = performance.now() + seconds * 1_000
      const work = async () => {
        while (performance.now() < end) {
          await run()
          done++
        }
      }
      process.send?.(
        await measure(
          () => Promise.all(Array.from({ length: concurrency }, work)),
          () => done,
        ),
      )
    }
  })
}

async function measure(during: () => Promise<unknown>, count: () => number): Promise<Rate> {
  const before = process.cpuUsage()
  const from = count()
  await during()
  const { user, system } = process.cpuUsage(before)
  return { runs: count() - from, cpuS: (user + system) / 1e6 }
}

const undiciRun = (url: string, ca: string) => {
  const secureContext = createSecureContext({ ca })
  return async () => {
    const client = new Client(new URL(url).origin, { pipelining: 0, connect: { secureContext } })
    const { body } = await client.request({ path: '/', method: 'GET' })
    await body.text()
    client.destroy()
  }
}

const socketRun = (text: string, ca: string) => {
  const { hostname: host, port, protocol } = new URL(text)
  const secureContext = createSecureContext({ ca })
  const request = `GET / HTTP/1.1\r\nhost: ${host}:${port}\r\nconnection: close\r\n\r\n`
  return () =>
    new Promise<void>((resolve, reject) => {
      const socket =
        protocol === 'https:'
          ? connectTls({ host, port: Number(port), secureContext })
          : connect({ host, port: Number(port) })
      socket.once(protocol === 'https:' ? 'secureConnect' : 'connect', () => socket.write(request))
      socket.on('data', () => {})
      socket.once('error', reject)
      socket.once('end', () => {
        socket.destroy()
        resolve()
      })
    })
}
