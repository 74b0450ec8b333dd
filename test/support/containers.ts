import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolders } from '#cli/local/cache.ts'
import { keep, unpackDebian } from './debian.ts'

const run = promisify(execFile)
const suite = 'bookworm'
const base = 'localhost/vedette-base'
/** Debian's own, 1.0.3, gives a service of `network_mode: host` a second network, and starts nothing. */
const compose = 'podman-compose==1.6.0'

/** Why no container can be built and run here, with what to do; undefined: they can. */
export function whyNoContainers(): string | undefined {
  if (process.platform !== 'linux') return 'Containers are built and run on Linux alone.'
  if (process.getuid?.() !== 0) return 'Containers are built and run by root alone: run this file as root.'
  const space = ['--mount', '--pid', '--ipc', '--uts', '--fork']
  if (spawnSync('unshare', [...space, 'mount', '-t', 'proc', 'proc', '/proc']).status !== 0)
    return 'A process may not have namespaces of its own here: run this file in a virtual machine.'
  if (!existsSync('/usr/bin/apt-get')) return 'Podman is fetched by apt-get, which was not found: use a Debian.'
  return undefined
}

/**
 * Podman of Debian, unpacked beside the system, and podman-compose, with images and containers in a folder of their own
 * that goes with `close`. A public registry is not needed: the base of our images is made from Debian's packages, this
 * process's Node and its npm.
 */
export class Containers {
  readonly #folder: string
  readonly #programs: string
  readonly #composer: string
  readonly #env: NodeJS.ProcessEnv

  private constructor(folder: string, programs: string, composer: string) {
    this.#folder = folder
    this.#programs = programs
    this.#composer = composer
    const library = `${programs}/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`
    this.#env = {
      PATH: `${programs}/usr/bin:${programs}/usr/sbin:${process.env.PATH}`,
      HOME: folder,
      LD_LIBRARY_PATH: library,
      PYTHONPATH: composer,
      DEBOOTSTRAP_DIR: join(programs, 'usr/share/debootstrap'),
      CONTAINERS_CONF: join(folder, 'containers.conf'),
      CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
    }
  }

  static async open(): Promise<Containers> {
    const [cache = tmpdir()] = cacheFolders()
    const packages = join(cache, 'podman-debian')
    const wanted = ['podman', 'runc', 'containernetworking-plugins', 'debootstrap']
    if (!existsSync(packages)) await keep(packages, draft => unpackDebian(draft, wanted, AbortSignal.timeout(600_000)))
    const composer = join(cache, compose)
    if (!existsSync(composer))
      await keep(composer, async draft => {
        await run('python3', ['-m', 'pip', 'install', '-q', '--target', draft, compose], { timeout: 600_000 })
      })
    const folder = await mkdtemp(join(tmpdir(), 'vedette-containers-'))
    const made = new Containers(folder, join(packages, 'root'), composer)
    try {
      await made.#configure()
      await made.#makeBase(join(cache, `container-base-${suite}`))
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
    return made
  }

  /** Without cgroups of systemd, limits that need rights, or a network of its own: a container may run in a container. */
  async #configure(): Promise<void> {
    const root = this.#programs
    // a folder that is an overlay itself, as in a container, cannot hold another; copies of all files can be anywhere
    const driver = (await this.#mayOverlay()) ? 'overlay' : 'vfs'
    await writeFile(
      join(this.#folder, 'containers.conf'),
      `[containers]
default_ulimits=[]
netns="host"
seccomp_profile="${root}/usr/share/containers/seccomp.json"
[engine]
cgroup_manager="cgroupfs"
events_logger="file"
runtime="runc"
conmon_path=["${root}/usr/bin/conmon"]
helper_binaries_dir=["${root}/usr/lib/podman"]
[engine.runtimes]
runc=["${root}/usr/sbin/runc"]
[network]
network_config_dir="${this.#folder}/networks"
cni_plugin_dirs=["${root}/usr/lib/cni"]
`,
    )
    await writeFile(
      join(this.#folder, 'storage.conf'),
      `[storage]\ndriver="${driver}"\ngraphroot="${this.#folder}/images"\nrunroot="${this.#folder}/run"\n`,
    )
    const policy = join(this.#folder, '.config/containers/policy.json')
    await mkdir(dirname(policy), { recursive: true })
    await cp(join(root, 'etc/containers/policy.json'), policy)
  }

  async #mayOverlay(): Promise<boolean> {
    const folder = join(this.#folder, 'overlay')
    for (const each of ['lower', 'upper', 'work', 'whole']) await mkdir(join(folder, each), { recursive: true })
    const options = 'lowerdir=lower,upperdir=upper,workdir=work'
    const tried = spawnSync('unshare', ['--mount', 'mount', '-t', 'overlay', 'overlay', '-o', options, 'whole'], {
      cwd: folder,
    })
    await rm(folder, { recursive: true })
    return tried.status === 0
  }

  /** A Debian with Node and npm, as the official slim image is. Kept without them: a Debian does not change with Node. */
  async #makeBase(debian: string): Promise<void> {
    if (!existsSync(debian))
      await keep(debian, async draft => {
        const words = ['--variant=minbase', '--include=ca-certificates,iputils-ping', suite, join(draft, 'root')]
        await run('debootstrap', words, { env: { ...process.env, ...this.#env }, maxBuffer: 2 ** 26, timeout: 600_000 })
        // devices cannot be copied; each container gets its own
        for (const each of ['var/cache/apt/archives', 'var/lib/apt/lists', 'dev'])
          await rm(join(draft, 'root', each), { recursive: true })
        await mkdir(join(draft, 'root/dev'))
      })
    const root = join(this.#folder, 'base')
    await cp(join(debian, 'root'), root, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    await cp(process.execPath, join(root, 'usr/local/bin/node'), { dereference: true })
    const { npm_execpath: npm = '' } = process.env
    if (!existsSync(npm)) throw new Error('The base image takes npm from the one that runs the tests: npm test -- FILE')
    await cp(dirname(dirname(npm)), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true })
    await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/local/bin/npm'))
    const file = join(this.#folder, 'Containerfile')
    await writeFile(file, 'FROM scratch\nADD base /\nENV PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n')
    await this.podman('build', '--layers=false', '-f', file, '-t', base, this.#folder)
    await rm(root, { recursive: true })
  }

  /** Answers what the command prints. */
  async podman(...words: string[]): Promise<string> {
    const options = { env: this.#env, maxBuffer: 2 ** 26, timeout: 600_000 }
    return (await run(join(this.#programs, 'usr/bin/podman'), words, options)).stdout.trim()
  }

  /** The same, of a command that may end with another code than 0. */
  podmanAnyway(...words: string[]): Promise<string> {
    return this.podman(...words).catch(error => {
      if (typeof error.stdout === 'string' && error.stdout !== '') return error.stdout.trim()
      throw error
    })
  }

  /** A `ping` that may be started only with the capability that its file has. */
  capablePing(): string {
    const path = join(this.#folder, 'ping')
    copyFileSync('/bin/true', path)
    chmodSync(path, 0o755)
    // VFS_CAP_REVISION_2 with the effective bit, then what is permitted and inherited: CAP_NET_RAW, the 13th
    const value = '0x0100000200200000000000000000000000000000'
    const words = ['-c', `import os,sys;os.setxattr(sys.argv[1],'security.capability',bytes.fromhex(sys.argv[2][2:]))`]
    execFileSync('python3', [...words, path, value])
    return path
  }

  /** What the container wrote to both of its outputs. */
  async logs(container: string): Promise<string> {
    const { stdout, stderr } = await run(join(this.#programs, 'usr/bin/podman'), ['logs', container], {
      env: this.#env,
    })
    return `${stdout}${stderr}`
  }

  /** Builds an image from the root of the repository, as its Containerfile says, and answers its size in bytes. */
  async build(file: string, tag: string): Promise<number> {
    // packages come from where the tests have theirs; nothing of this stays in the image
    const settings = await this.#npmSettings()
    await this.podman(
      ...['build', '--format', 'docker', '--layers=false', '--network', 'host', ...settings],
      ...['--build-arg', `BASE=${base}`, '-f', file, '-t', tag, '.'],
    )
    return this.size(tag)
  }

  async size(image: string): Promise<number> {
    return Number(await this.podman('image', 'inspect', '--format', '{{.Size}}', image))
  }

  get baseSize(): Promise<number> {
    return this.size(base)
  }

  async compose(file: string, env: Record<string, string>, ...words: string[]): Promise<string> {
    const program = join(this.#composer, 'podman_compose.py')
    const options = { env: { ...this.#env, ...env }, maxBuffer: 2 ** 26, timeout: 300_000 }
    const { stdout, stderr } = await run('python3', [program, '-f', file, ...words], options)
    return `${stdout}${stderr}`
  }

  /** Ends and removes every container; the images go with the folder. */
  async close(): Promise<void> {
    await this.podman('rm', '--force', '--all', '--volumes', '--time', '5')
    await rm(this.#folder, { recursive: true, force: true })
  }

  async #npmSettings(): Promise<string[]> {
    const userFile = join(homedir(), '.npmrc')
    const lines = [
      'prefer-offline=true',
      `registry=${(await run('npm', ['config', 'get', 'registry'])).stdout.trim()}`,
      ...(existsSync(userFile) ? [await readFile(userFile, 'utf8')] : []),
    ]
    const authority = process.env.NODE_EXTRA_CA_CERTS
    const file = join(this.#folder, 'npmrc')
    await writeFile(file, [...lines, ...(authority ? ['cafile=/run/authority.pem'] : []), ''].join('\n'))
    const cache = (await run('npm', ['config', 'get', 'cache'])).stdout.trim()
    return [
      `${file}:/root/.npmrc:ro`,
      ...(existsSync(cache) ? [`${cache}:/root/.npm`] : []),
      ...(authority ? [`${authority}:/run/authority.pem:ro`] : []),
    ].flatMap(volume => ['--volume', volume])
  }
}
