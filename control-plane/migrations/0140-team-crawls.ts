import { Migration } from '@mikro-orm/migrations'

/** The crawls of a whole team are read newest first, a page at a time. */
export class TeamCrawls extends Migration {
  override up(): void {
    this.addSql('create index crawl_runs_of_tenant on crawl_runs (tenant_id, created_at desc, id desc)')
    this.addSql('drop index crawl_runs_tenant')
  }
}
