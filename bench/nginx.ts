import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#test/support/free-port.ts'

function findNginx(): string {
  for (const path of ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx']) {
    try {
      execFileSync(path, ['-v'], { stdio: 'ignore' })
      return path
    } catch {
      // the next place
    }
  }
  throw new Error('nginx is not installed. Debian: apt-get install nginx-light')
}

/** A site that costs next to nothing and is no process of ours: nginx answering a few bytes to everything. */
export class Nginx {
  readonly url: string
  readonly #folder: string
  readonly #process: ChildProcess

  private constructor(url: string, folder: string, process: ChildProcess) {
    this.url = url
    this.#folder = folder
    this.#process = process
  }

  static async open(status = 200, port?: number): Promise<Nginx> {
    const taken = port ?? (await freePort())
    const folder = mkdtempSync(join(tmpdir(), 'vedette-nginx-'))
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; user root; worker_processes 1; pid ${folder}/pid; error_log /dev/null;
       events { worker_connections 8192; }
       http { access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
         server { listen 127.0.0.1:${taken} backlog=8192 reuseport; location / { return ${status} 'all is well'; } } }`,
    )
    const child = spawn(findNginx(), ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' })
    const nginx = new Nginx(`http://127.0.0.1:${taken}`, folder, child)
    for (let i = 0; i < 100; i++) {
      if (
        await fetch(nginx.url).then(
          () => true,
          () => false,
        )
      )
        return nginx
      await sleep(50)
    }
    throw new Error('nginx did not start')
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  async close(): Promise<void> {
    const ended = new Promise(resolve => this.#process.once('exit', resolve))
    this.#process.kill('SIGTERM')
    await ended
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
