import { cancelCrawlRun } from './cancel.ts'
import { getCrawlRun } from './get.ts'
import { listCrawlRuns } from './list.ts'
import { listTeamCrawlRuns } from './list-of-team.ts'
import { listCrawlPages } from './pages.ts'
import { startCrawlRun } from './start.ts'

export const crawlRuns = [listTeamCrawlRuns, listCrawlRuns, startCrawlRun, getCrawlRun, listCrawlPages, cancelCrawlRun]
