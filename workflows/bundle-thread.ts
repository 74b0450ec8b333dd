import { parentPort, workerData } from 'node:worker_threads'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'

const { code } = await bundleWorkflowCode({
  workflowsPath: workerData.entry,
  workflowInterceptorModules: [workerData.interceptors],
  logger: new DefaultLogger('ERROR'),
})
parentPort?.postMessage(code)
