import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/**
 * Makes a release of the checkout in the current folder: writes its version wherever a version stands, closes the part
 * "Unreleased" of CHANGELOG.md, commits and tags. Nothing is pushed; what to type next is printed.
 *
 *   npm run release -- 0.2.0
 */

const root = resolve('.')
const [wished = ''] = process.argv.slice(2)

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

function refuse(what: string, fix: string): never {
  process.stderr.write(`\n  failed  ${what}\n  type    ${fix}\n\n`)
  process.exit(2)
}

const numbersOf = (version: string) => version.split('.').map(Number)
const isLater = (version: string, than: string) => {
  const [ours, theirs] = [numbersOf(version), numbersOf(than)]
  const at = ours.findIndex((part, index) => part !== theirs[index])
  return at !== -1 && (ours[at] ?? 0) > (theirs[at] ?? 0)
}

const present: string = JSON.parse(read('package.json')).version
if (!/^\d+\.\d+\.\d+$/.test(wished)) refuse('a release needs a version of three numbers', 'npm run release -- 0.2.0')
if (!isLater(wished, present))
  refuse(`${wished} does not follow ${present}`, `npm run release -- ${present.replace(/\d+$/, n => String(+n + 1))}`)
if (git('status', '--porcelain') !== '') refuse('there are changes without a commit', 'git status')

const changes = read('CHANGELOG.md')
const [, unreleased = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changes) ?? []
if (unreleased.trim() === '') refuse('CHANGELOG.md says nothing under "Unreleased"', '$EDITOR CHANGELOG.md')

/** Where the version stands: the file, and what surrounds it there. */
const places: [string, (version: string) => string][] = [
  ['package.json', version => `"version": "${version}"`],
  ['package-lock.json', version => `"name": "vedette",\n  "version": "${version}"`],
  ['package-lock.json', version => `"name": "vedette",\n      "version": "${version}"`],
  ['README.md', version => `  vedette ${version}    data in`],
  ['deploy/helm/vedette/Chart.yaml', version => `appVersion: ${version}`],
  ['deploy/helm/vedette/examples/production.yaml', version => `/vedette, tag: ${version}`],
  ['deploy/helm/vedette/examples/production.yaml', version => `/vedette-agent, tag: ${version}`],
]
for (const [file, text] of places)
  if (!read(file).includes(text(present))) refuse(`${file} does not say ${text(present)}`, `grep -n version ${file}`)
for (const [file, text] of places) writeFileSync(join(root, file), read(file).replace(text(present), text(wished)))
const today = new Date().toISOString().slice(0, 10)
writeFileSync(
  join(root, 'CHANGELOG.md'),
  changes.replace('## Unreleased\n', `## Unreleased\n\n## ${wished}, ${today}\n`),
)

git('commit', '--all', '--quiet', '--message', `Release ${wished}`)
git('tag', '--annotate', `v${wished}`, '--message', `Vedette ${wished}\n\n${unreleased.trim()}`)
process.stdout.write(`
  ok      Vedette ${wished} is committed and tagged as v${wished}
  type    .ci/run
  type    git push --follow-tags
  then    build and push the images: docs/operate/containers.md
`)
