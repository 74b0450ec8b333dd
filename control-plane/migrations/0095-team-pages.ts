import { Migration } from '@mikro-orm/migrations'

/**
 * Teams in each order they are listed in, with what they are narrowed by and what row security asks of each:
 * how many fit and which are on a page is then read in order from one index, and no table.
 */
export class TeamPages extends Migration {
  override up(): void {
    this.addSql(`
drop index managed_teams_by_name;
drop index managed_teams_by_created;
drop index tenant_counts_reseller;
create index managed_teams_by_name on managed_teams (reseller_id, name, tenant_id) include (plan, paused_at, trial_ends_at) where deleted_at is null;
create index managed_teams_by_created on managed_teams (reseller_id, created_at, tenant_id) include (plan, paused_at, trial_ends_at) where deleted_at is null;
create index tenant_counts_by_monitors on tenant_counts (reseller_id, monitors, tenant_id) include (open_incidents)`)
  }
}
