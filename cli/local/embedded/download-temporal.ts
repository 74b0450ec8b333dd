import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { argv, exit, stdout } from 'node:process'
import { TestWorkflowEnvironment } from '@temporalio/testing'

const [, , downloadDir = '', version = ''] = argv
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir, version } },
})
await environment.teardown()
const [file] = readdirSync(downloadDir).filter(name => name.startsWith('temporal-'))
if (!file) exit(1)
stdout.write(join(downloadDir, file))
exit(0)
