import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';
import { kitUrl } from './five-calls.ts';

const prepareHeaders = (headers: Headers, { getState }: { getState: () => unknown }) =>
  headers.set('authorization', `Bearer ${(getState() as { token: string }).token}`);

export const baseApi = createApi({ baseQuery: fetchBaseQuery({ baseUrl: kitUrl, prepareHeaders }), endpoints: () => ({}) });
