import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A database with the tables of Uptime Kuma, as its version 2 makes them, shortened to what is read. */
export function kumaFile(fill: (database: DatabaseSync) => void): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-test-'))
  const path = join(folder, 'kuma.db')
  try {
    const database = new DatabaseSync(path)
    database.exec(`
      create table monitor (id integer primary key autoincrement not null, name varchar(150),
        active boolean default 1 not null, user_id integer, interval integer default 20 not null, url text,
        type varchar(20), weight integer default 2000, hostname varchar(255), port integer,
        created_date datetime default (datetime('now')) not null, keyword varchar(255), maxretries integer not null
        default 0, ignore_tls boolean default 0 not null, upside_down boolean default 0 not null,
        maxredirects integer default 10 not null, accepted_statuscodes_json text default '["200-299"]' not null,
        dns_resolve_type varchar(5), dns_resolve_server varchar(255), push_token varchar(20), method text
        default 'GET' not null, body text, headers text, basic_auth_user text, basic_auth_pass text,
        json_path text, json_path_operator varchar(255), expected_value varchar(255), parent integer,
        invert_keyword boolean default 0 not null, description text, timeout double default 0 not null,
        expiry_notification boolean default 1, database_connection_string varchar(2000), auth_method varchar(250));
      create table tag (id integer primary key, name varchar(255), color varchar(255));
      create table monitor_tag (id integer primary key, monitor_id integer, tag_id integer, value text);
      create table notification (id integer primary key, name varchar(255), active boolean, config text);`)
    fill(database)
    database.close()
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
