/** A real Redis without persistence. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export async function startRedis(port: number) {
  const redis = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--save', ''])
  for await (const chunk of redis.stdout) if (String(chunk).includes('Ready to accept')) break
  return {
    url: `redis://127.0.0.1:${port}`,
    /** Stopped, not ended: it accepts connections and answers nothing. */
    suspend: () => redis.kill('SIGSTOP'),
    resume: () => redis.kill('SIGCONT'),
    async stop() {
      redis.kill()
      await once(redis, 'exit')
    },
  }
}
export type TestRedis = Awaited<ReturnType<typeof startRedis>>
