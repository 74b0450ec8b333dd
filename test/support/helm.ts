import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { unpackWheel } from './wheels.ts'

interface Job {
  do: 'lint' | 'render'
  chart: string
  values: object
  /** Of the release. */
  name?: string
}

export interface Rendered {
  /** Why it is refused; empty where it is not. */
  errors: string[]
  /** The manifests by their template. */
  files?: Record<string, string>
}

const kubernetes = 'v1.31.0'

/** Helm 4 as a library, with its own linter and templates: no program need be installed. */
const helm = () =>
  unpackWheel('helm-python-sdk', '0.2.2', [
    '28cc13abaf134c3a7e37f070c939be8d9cdc9825c3c8b8b2d35161073bcd4578', // Linux, x64
    '078bac2464ea2f4b5af24cf7873e8f78ee3f3c216766fcdea41b7c61f47275b1', // Linux, arm64
    '16fd94117e4bc8c6f854801bda6fd84fceb608e083bc5333f8f934e79bd3dcdf', // macOS, arm64
  ])

/** One process for all: to load the library takes a second. It ends with this process. */
async function start() {
  const program = join(import.meta.dirname, 'helm.py')
  const child = spawn('python3', [program, await helm()], { stdio: ['pipe', 'pipe', 'inherit'] })
  return { child, answers: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}
let started: ReturnType<typeof start> | undefined
let last: Promise<unknown> = Promise.resolve()

/** Answers for each job. */
export async function askHelm(jobs: readonly Job[]): Promise<Rendered[]> {
  started ??= start()
  const { child, answers } = await started
  const answer = last.then(async () => {
    child.stdin.write(`${JSON.stringify(jobs.map(job => ({ kubernetes, name: 'v', ...job })))}\n`)
    const { value, done } = await answers.next()
    if (done) throw new Error('Helm ended before it answered.')
    return JSON.parse(value)
  })
  last = answer.catch(() => {})
  return answer
}

/** The schemas of Kubernetes' API, strict ones: a field that does not exist is refused. */
const schemas = async () =>
  join(
    await unpackWheel('kubernetes-validate', '1.37.0', [
      '85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9',
    ]),
    'kubernetes_validate/kubernetes-json-schema',
  )

/** Says what is wrong with a manifest of Kubernetes' own kinds; undefined for a kind of another API. */
export async function kubernetesValidator(
  version = kubernetes,
): Promise<(manifest: { apiVersion: string; kind: string }) => string[] | undefined> {
  const folder = join(await schemas(), `${version}-local-strict`)
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
  ajv.addSchema(read('_definitions.json'), '/api/_definitions.json')
  const known = new Map<string, ValidateFunction>()
  return manifest => {
    const [group = '', api] = manifest.apiVersion.includes('/')
      ? manifest.apiVersion.split('/')
      : ['', manifest.apiVersion]
    if (group.includes('.') && !group.endsWith('.k8s.io')) return undefined
    const file = [manifest.kind.toLowerCase(), group.split('.')[0], api].filter(Boolean).join('-')
    const validate = known.get(file) ?? ajv.compile(read(`${file}.json`))
    known.set(file, validate)
    return validate(manifest)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}
