import { Migration } from '@mikro-orm/migrations'

/** Which region had a say, and since when: without it nobody could tell later why an incident was opened, or not. Belongs to no tenant. */
export class Simulations extends Migration {
  override up(): void {
    this.addSql(`
create table region_standings (
  id bigint generated always as identity primary key,
  region varchar(40) not null,
  at timestamptz not null,
  why varchar(20)
);
create index region_standings_by_time on region_standings (at);
create index region_standings_of_region on region_standings (region, at desc, id desc);
alter table region_standings enable row level security; alter table region_standings force row level security;
grant select, insert, delete on region_standings to vedette_platform; grant select on region_standings to vedette_app;
create policy platform on region_standings to vedette_platform using (true) with check (true);
create policy shared on region_standings for select to vedette_app using (true)`)
  }
}
