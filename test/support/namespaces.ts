import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const run = (...words: string[]) =>
  execFileSync(words[0] ?? '', words.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] }).toString()

/**
 * A little internet on one machine: hosts that are network namespaces on one bridge of the test's own, with no way out.
 * A partition is a blackhole route, from one host towards another: silent, one-way, healed by taking it away.
 */
export class Internet {
  readonly #name: string
  readonly #net: number
  readonly #hosts = new Map<string, { space: string; address: string; link: string }>()

  private constructor(name: string, net: number) {
    this.#name = name
    this.#net = net
  }

  /** Needs root; the bridge's own address is where this process, and what it starts, can be reached. */
  static open(): Internet {
    const net = 1 + (process.pid % 250)
    const name = `vdt${process.pid % 100_000}`
    run('ip', 'link', 'add', name, 'type', 'bridge')
    run('ip', 'address', 'add', `10.213.${net}.1/24`, 'dev', name)
    run('ip', 'link', 'set', name, 'up')
    return new Internet(name, net)
  }

  get gateway(): string {
    return `10.213.${this.#net}.1`
  }

  get range(): string {
    return `10.213.${this.#net}.0/24`
  }

  /** Adds a host and answers its address. */
  host(name: string): string {
    const place = this.#hosts.size + 2
    const space = `${this.#name}-${name}`
    const link = `${this.#name}${place}`
    const address = `10.213.${this.#net}.${place}`
    run('ip', 'netns', 'add', space)
    run('ip', 'link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
    run('ip', 'link', 'set', link, 'master', this.#name)
    run('ip', 'link', 'set', link, 'up')
    run('ip', '-n', space, 'address', 'add', `${address}/24`, 'dev', 'eth0')
    run('ip', '-n', space, 'link', 'set', 'eth0', 'up')
    run('ip', '-n', space, 'link', 'set', 'lo', 'up')
    if (run('ip', '-n', space, 'route').includes('default')) throw new Error(`${space} has a way out`)
    this.#hosts.set(name, { space, address, link })
    return address
  }

  addressOf(name: string): string {
    return this.#find(name).address
  }

  /** Starts a program on a host. */
  spawn(host: string, command: string, args: string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
    return spawn('ip', ['netns', 'exec', this.#find(host).space, command, ...args], {
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  }

  /** What `from` sends to `to` is lost from now on, until healed. */
  cut(from: string, to: string): void {
    const { space } = this.#find(from)
    run('ip', '-n', space, 'route', 'add', 'blackhole', `${to === 'gateway' ? this.gateway : this.addressOf(to)}/32`)
  }

  heal(from: string, to: string): void {
    const { space } = this.#find(from)
    run('ip', '-n', space, 'route', 'del', 'blackhole', `${to === 'gateway' ? this.gateway : this.addressOf(to)}/32`)
  }

  /** Half of the time nothing gets from `from` to `to`, in short turns: packets are lost, and sent again late. */
  async flicker(from: string, to: string, forMs: number): Promise<void> {
    for (const until = Date.now() + forMs; Date.now() < until; ) {
      this.cut(from, to)
      await sleep(50 + Math.random() * 200)
      this.heal(from, to)
      await sleep(50 + Math.random() * 200)
    }
  }

  /** The host's cable is pulled, or put back. */
  setLink(host: string, state: 'up' | 'down'): void {
    run('ip', 'link', 'set', this.#find(host).link, state)
  }

  close(): void {
    for (const { space, link } of this.#hosts.values()) {
      try {
        run('ip', 'link', 'del', link)
      } catch {
        // it went with its namespace
      }
      run('ip', 'netns', 'del', space)
    }
    run('ip', 'link', 'del', this.#name)
  }

  #find(name: string) {
    const host = this.#hosts.get(name)
    if (!host) throw new Error(`no host ${name}`)
    return host
  }
}

/** A web server on a host of its own. Its answers are set by path. */
export class RemoteSite {
  readonly url: string
  readonly #process: ChildProcess

  private constructor(url: string, process: ChildProcess) {
    this.url = url
    this.#process = process
  }

  static async open(internet: Internet, host: string): Promise<RemoteSite> {
    const program = `
      const broken = new Set()
      require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
        const [mood, path] = line.split(' ')
        if (mood === 'up') broken.delete(path)
        else broken.add(path)
      })
      require('node:http')
        .createServer((request, response) => response.writeHead(broken.has(request.url) ? 500 : 200).end('all is well'))
        .listen(80, () => console.log('listening'))`
    const child = internet.spawn(host, process.execPath, ['-e', program])
    if (!child.stdout) throw new Error('no output')
    await once(createInterface({ input: child.stdout }), 'line')
    return new RemoteSite(`http://${internet.addressOf(host)}`, child)
  }

  become(mood: 'up' | 'error', path: string): void {
    this.#process.stdin?.write(`${mood} ${path}\n`)
  }

  async close(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await ended
  }
}
