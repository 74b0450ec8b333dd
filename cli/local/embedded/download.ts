import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit, stdout } from 'node:process'
import { TestWorkflowEnvironment } from '@temporalio/testing'

// The SDK downloads a program of Temporal into a folder: node download.ts FILE FOLDER VERSION prints its path.
const [, , file = '', downloadDir = '', version = ''] = argv
const server = { executable: { type: 'cached-download', downloadDir, version } } as const
const environment =
  file === 'temporal'
    ? await TestWorkflowEnvironment.createLocal({ server })
    : await TestWorkflowEnvironment.createTimeSkipping({ server })
await environment.teardown()
const [downloaded] = readdirSync(downloadDir).filter(name => name.startsWith('temporal-'))
if (!downloaded) exit(1)
stdout.write(join(downloadDir, downloaded))
exit(0)
