/** Uploads a stream of any length in constant memory: what is longer than one part goes in parts. */
import { BucketError, type S3Client, textOf } from './s3-client.ts'

/** The least that S3 takes for a part that is not the last. 10,000 parts, S3's most, are 52 GB. */
export const partBytes = 5 * 1024 * 1024

export async function upload(
  client: S3Client,
  key: string,
  bytes: AsyncIterable<Buffer>,
  contentType = 'audio/wav',
) {
  const headers = { 'content-type': contentType }
  const parts = inParts(bytes)
  const first = await parts.next()
  const second = first.done ? first : await parts.next()
  if (second.done) {
    const body = first.done ? Buffer.alloc(0) : first.value
    const { body: answer } = await client.send({ method: 'PUT', key, headers, body })
    return await answer.dump()
  }
  const { text } = await client.sendForText({
    method: 'POST',
    key,
    query: { uploads: '' },
    headers,
  })
  const uploadId = textOf(text, 'UploadId')
  if (!uploadId) throw new BucketError(200, 'without UploadId', `POST ${key}`)
  try {
    await uploadParts(client, { key, uploadId }, [first.value, second.value], parts)
  } catch (error) {
    await abort(client, { key, uploadId })
    throw error
  }
}

export type Upload = { key: string; uploadId: string }

async function uploadParts(
  client: S3Client,
  { key, uploadId }: Upload,
  begun: (Buffer | undefined)[],
  rest: AsyncIterable<Buffer>,
) {
  const tags: string[] = []
  async function send(body: Buffer) {
    const query = { partNumber: String(tags.length + 1), uploadId }
    const { headers, body: answer } = await client.send({ method: 'PUT', key, query, body })
    await answer.dump()
    tags.push(String(headers.etag))
  }
  for (const body of begun.splice(0)) if (body) await send(body)
  for await (const body of rest) await send(body)
  const list = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
  )
  const body = Buffer.from(`<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`)
  const { text } = await client.sendForText({ method: 'POST', key, query: { uploadId }, body })
  // S3 may report a failure after it has answered 200.
  const code = text.includes('<Error>') ? textOf(text, 'Code') : undefined
  if (code !== undefined) throw new BucketError(200, code, `POST ${key}`)
}

/** What cannot be aborted now is aborted a day later, with what killed processes left. */
export async function abort(client: S3Client, { key, uploadId }: Upload) {
  await client
    .send({ method: 'DELETE', key, query: { uploadId } })
    .then(({ body }) => body.dump())
    .catch(() => {})
}

async function* inParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; ) {
      const taken = piece.subarray(at, at + partBytes - size)
      held.push(taken)
      size += taken.length
      at += taken.length
      if (size < partBytes) continue
      const part = Buffer.concat(held)
      held = []
      size = 0
      yield part
    }
  }
  if (size > 0) yield Buffer.concat(held)
}
