#!/usr/bin/env node
// The one file that runs before anything is installed: plain JavaScript, no dependency, any Node from 20 on.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, utimesSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ancestors, whenOrphaned } from './program/ancestors.js'
import { buildProgram } from './program/build.js'
import { programFolder } from './program/folder.js'
import { heapFlags } from './program/heap-flags.js'
import { spareDisk } from './program/spare.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const args = process.argv.slice(2)
const asJson = args.includes('--json')
const needsDevelopmentSet = ['dev', 'test', 'gate', 'bench', 'faults'].includes(args[0] ?? '')
const hasOwnStores = Boolean(process.env.DATABASE_URL && process.env.CLICKHOUSE_URL)
const needsEmbeddedStores = needsDevelopmentSet || (args[0] === 'up' && !hasOwnStores)
const exitCodes = { config: 2, dependency: 3 }

// output that cannot be written, into a closed pipe or onto a full disk, does not end the start
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const say = line => process.stdout.write(`${line}\n`)

/** Ends the start: what happened, why, and what to type. */
function fail(code, what, why, ...fixes) {
  if (asJson) say(JSON.stringify({ event: 'failed', what, why, fixes, code }))
  process.stderr.write(`\n  failed  ${what}\n  why     ${why}\n${fixes.map(fix => `  type    ${fix}\n`).join('')}\n`)
  process.exit(code)
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** The workspace of optional packages with the embedded stores: 600 MB, left out where own stores are used. */
const embedded = 'packages/embedded-stores'

/**
 * The packages that the lockfile names and `node_modules` lacks, compared by version: file times change with each
 * checkout. `leftOut`: the options of npm that omit what neither this command needs nor an earlier one installed.
 */
function missingPackages() {
  const wanted = readJson(join(root, 'package-lock.json'))
  if (!wanted)
    fail(
      exitCodes.config,
      'package-lock.json cannot be read',
      'Versions are taken from it and from nowhere else.',
      'git checkout package-lock.json',
    )
  const present = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages ?? {}
  const stores = Object.keys(wanted.packages[embedded]?.optionalDependencies ?? {}).map(name => `node_modules/${name}`)
  const packages = Object.entries(wanted.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
  const missing = packages
    .filter(([path, { version, optional, dev, devOptional }]) => {
      if (present[path]?.version === version) return false
      const mayLack =
        (optional && !(needsEmbeddedStores && stores.includes(path))) || ((dev || devOptional) && !needsDevelopmentSet)
      return !mayLack || present[path] !== undefined
    })
    .map(([path]) => path)
  const hasDevelopmentSet = packages.some(([path, { dev }]) => dev && present[path])
  const hasEmbeddedStores = stores.some(path => present[path])
  return {
    missing,
    leftOut: [
      ...(needsDevelopmentSet || hasDevelopmentSet ? [] : ['--omit=dev']),
      ...(needsEmbeddedStores || hasEmbeddedStores ? [] : ['--workspaces=false']),
    ],
  }
}

const hints = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|network/i,
    'The package registry was not reached.',
    'npm ping',
  ],
  [/ENOSPC/, 'The disk is full.', 'df -h .'],
  [/EACCES|EPERM|EROFS/, 'This folder may not be written to.', 'ls -ld . node_modules'],
  [/EINTEGRITY/, 'A package is not the one the lockfile names.', 'npm cache verify'],
  [/ENOENT.*npm|not found/, 'npm was not found.', 'npm --version'],
]

/**
 * Installs the packages of the lockfile. The cache of npm is used first; if it is older than the lockfile, npm runs
 * once more and asks the registry.
 */
function install(count, leftOut, asksRegistry = false) {
  const started = performance.now()
  const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`
  const isLive = process.stdout.isTTY && !process.env.CI && !asJson
  if (asJson) say(JSON.stringify({ event: 'part', part: 'packages', state: 'starting', count }))
  else if (!isLive) say(`  ..  Packages             installing ${count} as the lockfile says`)
  const timer = setInterval(
    () =>
      isLive &&
      process.stdout.write(`\r  ..  Packages             installing ${count} as the lockfile says  ${seconds()} `),
    200,
  )

  // npm deletes the node of node_modules, so it runs by another one
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter(folder => !folder.startsWith(join(root, 'node_modules')))
  const npm = spawn(
    'npm',
    ['ci', ...leftOut, ...(asksRegistry ? [] : ['--prefer-offline']), '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      env: { ...process.env, PATH: path.join(delimiter), npm_config_engine_strict: 'false' },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    },
  )
  let output = ''
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', chunk => {
      output = (output + chunk).slice(-20_000)
    })
  const stop = signal => npm.kill(signal)
  process.on('SIGINT', stop).on('SIGTERM', stop)

  return new Promise(resolve => {
    npm.on('error', error => {
      output += error.message
    })
    npm.on('close', (code, signal) => {
      clearInterval(timer)
      process.off('SIGINT', stop).off('SIGTERM', stop)
      if (isLive) process.stdout.write('\r\x1b[K')
      if (signal) process.exit(128 + constants.signals[signal])
      if (code !== 0 && !asksRegistry && /ETARGET/.test(output)) return resolve(install(count, leftOut, true))
      if (code !== 0) {
        process.stderr.write(
          `\n${output
            .trim()
            .split('\n')
            .slice(-12)
            .map(line => `      ${line}`)
            .join('\n')}\n`,
        )
        const [, why, fix] = hints.find(([pattern]) => pattern.test(output)) ?? [
          undefined,
          `npm ended with ${code}; its last lines are above.`,
          undefined,
        ]
        fail(
          exitCodes.dependency,
          'the packages could not be installed',
          why,
          ...(fix ? [`${fix}      to see for yourself`] : []),
          'npm ci         then start again',
        )
      }
      if (asJson)
        say(
          JSON.stringify({
            event: 'part',
            part: 'packages',
            state: 'ready',
            count,
            seconds: Number(((performance.now() - started) / 1000).toFixed(1)),
          }),
        )
      else say(`  ok  Packages             ${count} installed  ${seconds()}`)
      resolve()
    })
  })
}

/** Node 24 from the lockfile, or the node that runs this file if it is as new and that one is not installed. */
function findNode() {
  const own = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  if (existsSync(own)) return own
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return fail(
    exitCodes.dependency,
    'Node.js 24 is not in node_modules',
    'The package "node" brings it by an install script, and install scripts seem to be off.',
    'npm rebuild node --foreground-scripts',
    'or run this with Node.js 24.21 or newer',
  )
}

const noWarning = '--disable-warning=ExperimentalWarning'
/** As `up` gives its parts. */
const ownFlags = ['serve', 'probe'].includes(args[0] ?? '') ? heapFlags : []

/** The commands that make the bundle. */
const makesBundle = ['up', 'build'].includes(args[0] ?? '')

/**
 * The file that holds the commands. That is the bundle, if there is one of these sources. Where it cannot be made, and
 * for tests and benchmarks, it is the source.
 */
async function findProgram(node) {
  const sources = join(root, 'cli', 'main.ts')
  if (needsDevelopmentSet || process.env.VEDETTE_PROGRAM === 'sources') return sources
  try {
    const folder = programFolder(root)
    if (!existsSync(join(folder, 'main.mjs'))) {
      if (!makesBundle) return sources
      await bundle(node, folder)
    }
    markUsed(folder)
    return join(folder, 'main.mjs')
  } catch (error) {
    const why = `it runs from its sources, and needs more memory: ${error.message}`
    if (asJson) say(JSON.stringify({ event: 'part', part: 'program', state: 'failed', why }))
    else if (makesBundle) process.stderr.write(`  --  Program              ${why}\n`)
    return sources
  }
}

/** A bundle that no start has used for a week is deleted. */
function markUsed(folder) {
  try {
    utimesSync(folder, new Date(), new Date())
  } catch {
    // a checkout that cannot be written
  }
}

async function bundle(node, folder) {
  const started = performance.now()
  const note = 'bundling, once'
  const isShown = args[0] === 'up' // the output of `build` is a folder alone
  if (isShown && asJson) say(JSON.stringify({ event: 'part', part: 'program', state: 'starting', note }))
  else if (isShown) say(`  ..  Program              ${note}`)
  await buildProgram(root, folder, node)
  if (!isShown) return
  const seconds = Number(((performance.now() - started) / 1000).toFixed(1))
  if (asJson) say(JSON.stringify({ event: 'part', part: 'program', state: 'ready', how: 'built once', seconds }))
  else say(`  ok  Program              bundled once  ${seconds} s`)
}

if (Number(process.versions.node.split('.')[0]) < 20)
  fail(
    exitCodes.dependency,
    `Node.js ${process.versions.node} is too old`,
    'The start needs Node.js 20; it then brings its own Node.js 24.',
    'https://nodejs.org, or: apt-get install nodejs',
  )

const { missing, leftOut } = missingPackages()
if (missing.length > 0) {
  await install(missing.length, leftOut)
  try {
    spareDisk(root, { keepsDevelopmentSet: !leftOut.includes('--omit=dev') })
  } catch {
    // the disk has room for it, or the folder is of another user
  }
}

const node = findNode()
const words = [noWarning, ...ownFlags, await findProgram(node), ...args]
const env = {
  // code compiled once is kept on disk, so that a process starts in two thirds of the time
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'vedette'),
  // every thread would allocate in a region of its own, whose freed memory the others cannot use
  MALLOC_ARENA_MAX: '2',
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
}
const family = process.env.npm_lifecycle_event ? ancestors() : undefined

if (process.execve && args[0] === 'up') {
  // this process becomes the program: one that only waits for it would take 20 MB
  process.removeAllListeners('warning')
  process.execve(node, [node, ...words], { ...env, ...(family && { VEDETTE_ANCESTORS: family }) })
}

// handled before the child exists: a signal in between would end this process and leave the child
let child
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => child?.kill(signal))
child = spawn(node, words, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env })
child.on('error', error =>
  fail(exitCodes.dependency, 'Node.js 24 does not start', error.message, 'npm rebuild node --foreground-scripts'),
)
whenOrphaned(family, () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
