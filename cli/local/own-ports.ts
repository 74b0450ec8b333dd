import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'

/** Keeps a file with the ports on which this process and what it has started listen, one a line. */
export class OwnPorts {
  readonly #path: string
  readonly #admitted = new Set<number>()
  #written: string | undefined
  #isAsking = false

  constructor(path: string) {
    this.#path = path
    this.#write([])
  }

  /** Leaves a port out: that of the sample sites, which are there to be checked. */
  admit(port: number): void {
    this.#admitted.add(port)
    this.note()
  }

  /** Writes the file again where the ports have changed. */
  note(): void {
    if (process.platform === 'linux') this.#write(listeningOnLinux(process.pid))
    else if (!this.#isAsking) this.#ask()
  }

  #ask() {
    this.#isAsking = true
    void listeningElsewhere(process.pid)
      .then(ports => this.#write(ports))
      .catch(() => {}) // the ports that were chosen are denied anyway
      .finally(() => {
        this.#isAsking = false
      })
  }

  #write(ports: number[]) {
    const text = ports
      .filter(port => !this.#admitted.has(port))
      .map(port => `${port}\n`)
      .join('')
    if (text === this.#written) return
    try {
      writeFileSync(`${this.#path}.draft`, text, { mode: 0o600 })
      renameSync(`${this.#path}.draft`, this.#path)
      this.#written = text
    } catch {
      // on a full disk, the next time
    }
  }
}

/** A line of /proc/net/tcp in state LISTEN: its port and its inode. Of others a busy machine has tens of thousands. */
const listeningLine = /:([0-9A-F]{4}) [0-9A-F]+:0000 0A (?:\S+ +){5}(\d+)/g

/** The ports of a process and its descendants, as /proc shows them, in order. */
export function listeningOnLinux(root: number): number[] {
  const family = descendants(root, parentsOnLinux())
  const sockets = new Set(family.flatMap(socketsOf))
  const ports = ['tcp', 'tcp6'].flatMap(table =>
    [...read(`/proc/net/${table}`).matchAll(listeningLine)]
      .filter(([, , inode = '']) => sockets.has(inode))
      .map(([, port = '']) => Number.parseInt(port, 16)),
  )
  return [...new Set(ports)].sort((a, b) => a - b)
}

function parentsOnLinux(): [pid: number, parent: number][] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.map(pid => {
    const stat = read(`/proc/${pid}/stat`)
    return [Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]
  })
}

function descendants(root: number, parents: [pid: number, parent: number][]): number[] {
  const children = Map.groupBy(parents, ([, parent]) => parent)
  const found = [root]
  for (const pid of found) found.push(...(children.get(pid) ?? []).map(([child]) => child))
  return found
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap(fd => /^socket:\[(\d+)\]$/.exec(linkOf(pid, fd))?.[1] ?? [])
  } catch {
    return [] // it has ended, or belongs to another user
  }
}

function linkOf(pid: number, fd: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`)
  } catch {
    return ''
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const run = promisify(execFile)

/** As `ps` and `lsof` show them. */
async function listeningElsewhere(root: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,ppid='])
  const parents = stdout
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number) as [number, number])
  const pids = descendants(root, parents).join(',')
  const { stdout: files } = await run('lsof', ['-nP', '-a', '-iTCP', '-sTCP:LISTEN', '-p', pids, '-Fn'])
  const ports = [...files.matchAll(/^n.*:(\d+)$/gm)].map(([, port]) => Number(port))
  return [...new Set(ports)].sort((a, b) => a - b)
}
